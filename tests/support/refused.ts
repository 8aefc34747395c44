import { expect } from 'vitest';
import type { School } from './school.ts';

/** Status and code of an answer that must be a problem. */
export const problem = async (answer: Response): Promise<string> => {
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  const { status, code } = (await answer.json()) as { status: number; code: string };
  expect(answer.status).toBe(status);
  return `${status} ${code}`;
};

/** From now on: rejects if anything was written to the log of the school. */
export const writesNothing = async ({ backend }: School): Promise<() => Promise<void>> => {
  const before = await backend.store.head();
  return async () => expect(await backend.store.head()).toBe(before);
};
