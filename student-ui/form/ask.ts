import type { Me } from '#contract/structure';
import { connect } from '../../ui/api/connection.ts';
import { isRefused } from '../../ui/api/failure.ts';

/** This app's way to the server, before and after the log-in. */
export const connection = connect();
const { api } = connection;

/** Asks the front door (`/api/door/*`). @throws Refused, Unreachable */
export const askDoor = api.door;

/** Who is signed in; undefined: nobody. */
export const whoAmI = (): Promise<Me | undefined> =>
  api.query('me', {}).catch((error: unknown) => {
    if (isRefused(error, 'not-authenticated')) return undefined;
    throw error;
  });

export const { signIn } = api;

/** Only an address of this origin: it comes from outside. */
export const ownAddress = (next: string | null): string | undefined => (next !== null && /^\/(?![/\\])/u.test(next) ? next : undefined);
