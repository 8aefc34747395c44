import type { Me } from '#api/accounts/accounts.contract';
import { connect } from '../../../ui/api/connection.ts';
import { isRefused } from '../../../ui/api/failure.ts';

/** The client of this app, before and after log-in. */
export const connection = connect();
const { api } = connection;

/** Calls about logging in (`/api/door/*`). @throws ApiRefusal, Unreachable */
export const askAuth = api.auth;

/** The signed-in user; undefined: none. */
export const whoAmI = (): Promise<Me | undefined> =>
  api.query('me', {}).catch((error: unknown) => {
    if (isRefused(error, 'not-authenticated')) return undefined;
    throw error;
  });

export const { signIn } = api;

/** Accepts only an address of this origin, because the value comes from outside. */
export const ownAddress = (next: string | null): string | undefined => (next !== null && /^\/(?![/\\])/u.test(next) ? next : undefined);
