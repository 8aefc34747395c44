import simpleRestProvider from 'ra-data-simple-rest';
import type { DataProvider } from 'react-admin';
import type { Api, RestAnswer } from '../../ui/api/client.ts';
import { isRefused } from '../../ui/api/failure.ts';

const HOME = '/api/rest';

/**
 * simpleRestProvider on our own client: retries while the server is down, stores each write once, and reads one's own writes. It throws what
 * the client throws: `ApiRefusal`, or `Unreachable`. `asOf`: reads an earlier moment, an ISO instant.
 */
export const createDataProvider = (api: Api, asOf?: string): DataProvider => {
  const http = (url: string, { method = 'GET', body, match, signal }: Sent = {}): Promise<RestAnswer> =>
    method === 'GET'
      ? api.rest(atMoment(url, asOf), { method }, { ...(asOf === undefined && { as: resourceIn(url) }), ...(signal ? { signal } : {}) })
      : api.rest(url, { method: method as 'POST', body, match });
  const addressOf = (resource: string, id: unknown): string => `${HOME}/${resource}/${encodeURIComponent(String(id))}`;
  return {
    ...simpleRestProvider(HOME, (url: string, options) => http(url, options as Sent)),

    /** Answers 412 if somebody else has changed the record since it was read. */
    async update(resource, { id, data, previousData }) {
      const { version } = (previousData ?? {}) as { readonly version?: string };
      const { json } = await http(addressOf(resource, id), { method: 'PUT', body: JSON.stringify(data), match: version });
      return { data: json as never };
    },

    /** Deleting a record that is already gone succeeds. */
    async delete(resource, { id, previousData }) {
      try {
        const { json } = await http(addressOf(resource, id), { method: 'DELETE' });
        return { data: json as never };
      } catch (error) {
        if (isRefused(error, 'not-found')) return { data: previousData as never };
        throw error;
      }
    },
  };
};

/** The resource whose lists and records follow what others change. */
const resourceIn = (url: string): string => url.slice(HOME.length + 1).replace(/[/?].*$/u, '');

const atMoment = (url: string, asOf: string | undefined): string =>
  asOf === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ asOf }).toString()}`;

type Sent = {
  readonly method?: string;
  readonly body?: string | undefined;
  readonly match?: string | undefined;
  readonly signal?: AbortSignal;
};
