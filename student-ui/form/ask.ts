import type { Me } from '#contract/structure';
import { createApi } from '../../ui/api/client.ts';
import { isRefused, problemOf, Refused, Unreachable } from '../../ui/api/failure.ts';

/** Asks the front door (`/api/door/*`). @throws Refused, Unreachable */
export const askDoor = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
  const sent = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/door${path}`, sent).catch(() => {
    throw new Unreachable();
  });
  if (!response.ok) throw new Refused(await problemOf(response));
  return (await response.json()) as Answer;
};

const api = createApi();

/** Who is signed in; undefined: nobody. */
export const whoAmI = (): Promise<Me | undefined> =>
  api.query('me', {}).catch((error: unknown) => {
    if (isRefused(error, 'not-authenticated')) return undefined;
    throw error;
  });

export const { signIn, signOut } = api;

/** Only an address of this origin: it comes from outside. */
export const ownAddress = (next: string | null): string | undefined => (next !== null && /^\/(?![/\\])/u.test(next) ? next : undefined);
