import type { Visitor } from '#api/contract/auth';
import { connect } from '../../../ui/api/connection.ts';

/** The client of this app, before and after log-in. */
export const connection = connect();
const { api } = connection;

/** Calls about logging in (`/api/door/*`). @throws ApiRefusal, Unreachable */
export const askAuth = api.auth;

/** The role of the signed-in user; null: there is none. */
export const whoAmI = async () => (await api.get<Visitor>('/api/door/visitor')).role;

export const { signIn } = api;

/** Accepts only an address of this origin, because the value comes from outside. */
export const ownAddress = (next: string | null): string | undefined => (next !== null && /^\/(?![/\\])/u.test(next) ? next : undefined);
