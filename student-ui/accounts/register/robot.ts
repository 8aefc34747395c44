import { solveChallengeWorkers } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { askAuth } from '../form/ask.ts';

/**
 * Solves the server's proof of work, which is cheap for a browser and expensive for a robot: about a second, in a worker.
 *
 * @returns the `robot` field of `/api/door/registration`
 * @throws ApiRefusal, Unreachable, or an Error where this browser cannot do it
 */
export const solveRobotCheck = async (): Promise<string> => {
  const challenge = await askAuth<Challenge>('/robot-check');
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(4, navigator.hardwareConcurrency || 2),
    createWorker: () => new Worker(new URL('./robot-worker.ts', import.meta.url), { type: 'module' }),
  });
  if (!solution) throw new Error('The robot check did not finish.');
  return btoa(JSON.stringify({ challenge, solution }));
};
