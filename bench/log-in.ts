/** A log-in over HTTP against checking the password alone, which is slow on purpose. */
import { Passwords } from '../api/auth/password/password-hash.ts';
import { compared, type Figure, inTurn, quantile } from './figures.ts';
import type { Server } from './processes.ts';
import { signIn } from './school.ts';

type Person = Parameters<typeof signIn>[1];

/** `each`: log-ins per round. All rounds together stay below the limit of one address per minute. */
export const logInFigure = async (product: Server, person: Person, { rounds, each }: { rounds: number; each: number }): Promise<Figure> => {
  const passwords = new Passwords();
  const hash = await passwords.hash(person.password);
  const slowest = async (work: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < each; at++) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
    return quantile(times, 0.95);
  };
  const pairs = await inTurn(
    rounds,
    () => slowest(() => signIn(product.url, person)),
    () => slowest(() => passwords.verify({ hash, password: person.password })),
  );
  return compared('log-in: ms within which 95 % are answered, against the check of the password alone', pairs, { is: '<=', than: 1.3 });
};
