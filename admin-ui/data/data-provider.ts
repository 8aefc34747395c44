import simpleRestProvider from 'ra-data-simple-rest';
import type { DataProvider } from 'react-admin';
import { HttpError } from 'react-admin';
import type { Api, RestAnswer } from '../../ui/api/client.ts';
import { Refused } from '../../ui/api/failure.ts';

const HOME = '/api/rest';

/** simpleRestProvider on our own client: retries while the server is down, stores each write once, and reads one's own writes. */
export const createDataProvider = (api: Api): DataProvider => {
  const http = async (url: string, { method = 'GET', body, match, signal }: Sent = {}): Promise<RestAnswer> => {
    try {
      return method === 'GET'
        ? await api.rest(url, { method }, { as: resourceIn(url), ...(signal ? { signal } : {}) })
        : await api.rest(url, { method: method as 'POST', body, match });
    } catch (error) {
      throw error instanceof Refused ? asHttpError(error) : error;
    }
  };
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
        if (error instanceof HttpError && error.status === 404) return { data: previousData as never };
        throw error;
      }
    },
  };
};

/** As which its lists and records follow what others change. */
const resourceIn = (url: string): string => url.slice(HOME.length + 1).replace(/[/?].*$/u, '');

type Sent = {
  readonly method?: string;
  readonly body?: string | undefined;
  readonly match?: string | undefined;
  readonly signal?: AbortSignal;
};

/** For react-admin's forms: errors by field. */
const asHttpError = ({ problem }: Refused): HttpError =>
  new HttpError(problem.title, problem.status, {
    ...problem,
    message: problem.title,
    errors: Object.fromEntries((problem.errors ?? []).map(({ path, message }) => [path, message])),
  });
