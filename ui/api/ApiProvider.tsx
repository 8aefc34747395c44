import type { LiveTopic } from '#api/contract/live';
import { QueryClient, QueryClientProvider, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Api } from './client.ts';
import type { Connection } from './connection.ts';
import { connect } from './connection.ts';
import type { LiveState } from './live.ts';
import { listenLive } from './live.ts';
import type { Questions } from './questions.ts';
import type { Waiting } from './requests.ts';
import type { SessionWatch } from './session-watch.ts';

const ApiContext = createContext<Connection | undefined>(undefined);

/** Provides the connection to the server; creates one if none is passed. */
export const ApiProvider = ({ connection, children }: { readonly connection?: Connection; readonly children: ReactNode }) => {
  const [own] = useState(() => connection ?? connect());
  const [client] = useState(
    () =>
      new QueryClient({
        /** The client already retries what can succeed later; a refused query stays refused. */
        defaultOptions: {
          queries: { retry: false, staleTime: 30_000, networkMode: 'always' },
          mutations: { retry: false, networkMode: 'always' },
        },
      }),
  );
  return (
    <ApiContext value={own}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </ApiContext>
  );
};

const useContextValue = () => {
  const value = use(ApiContext);
  if (!value) throw new Error('There is no ApiProvider above this component.');
  return value;
};

export const useApi = (): Api => useContextValue().api;
/** The session, and how it resumes after it has ended. */
export const useSessionWatch = (): SessionWatch => useContextValue().session;
/** Why a request is being retried. Works without an ApiProvider too, as on the front door: nothing waits there. */
export const useWaiting = (): Waiting | undefined => {
  const { subscribe, now } = use(ApiContext)?.waiting ?? nothingWaits;
  return useSyncExternalStore(subscribe, now);
};

const nothingWaits: Connection['waiting'] = { subscribe: () => () => undefined, now: () => undefined };

/** A live topic, or all topics of a kind, such as every subject's structure. Kept in the query's `meta.topics`. */
export type Followed = LiveTopic | 'structure' | 'marks';

/**
 * A query for TanStack Query. `ask` undefined: not yet. `topics`: live changes that refetch it. `asOf`: an ISO instant; the past does not change, so such a query
 * is never refetched.
 */
export const question = <Name extends keyof Questions>(
  api: Api,
  name: Name,
  ask: Questions[Name]['ask'] | undefined,
  topics: readonly Followed[] = [],
  asOf?: string,
) =>
  queryOptions({
    queryKey: [name, ask, asOf] as const,
    queryFn: async ({ signal }) => {
      if (ask === undefined) throw new Error(`${name} is asked too early.`);
      return api.query(name, ask, { signal, asOf });
    },
    enabled: ask !== undefined,
    meta: { topics: asOf === undefined ? topics : [] },
    ...(asOf === undefined ? {} : { staleTime: Infinity }),
  });

export const useQuestion = <Name extends keyof Questions>(
  name: Name,
  ask: Questions[Name]['ask'] | undefined,
  topics: readonly Followed[] = [],
  asOf?: string,
) => {
  const api = useApi();
  return useQuery(question(api, name, ask, topics, asOf));
};

/** Refetches what changes of these topics made stale; after one's own commands, without waiting for the live message. */
export const useMoved = () => {
  const client = useQueryClient();
  return useCallback((topics: readonly LiveTopic[]) => client.invalidateQueries({ predicate: concerns(new Set(topics)) }), [client]);
};

/** Refetches the app's queries as the server announces changes. */
export const useLive = (accountId: string | undefined): LiveState => {
  const api = useApi();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (accountId === undefined) return;
    let wasLive = false;
    const moved = new Set<string>();
    let asking = false;
    /** One round at a time: a burst of changes neither cancels an answer in flight nor refetches faster than the server answers. */
    const askAgain = async () => {
      if (asking) return;
      asking = true;
      while (moved.size > 0) {
        const topics = new Set(moved);
        moved.clear();
        await client.invalidateQueries({ predicate: concerns(topics) });
        await new Promise((resolve) => setTimeout(resolve, BREATH));
      }
      asking = false;
    };
    const changed = (topics: readonly (readonly [topic: string, position: string])[]) => {
      for (const [topic, position] of topics) {
        api.seen(position);
        moved.add(topic);
      }
      void askAgain();
    };
    const end = listenLive(accountId, (message) => {
      if (message.kind === 'state') {
        setState(message.state);
        if (message.state !== 'live') return;
        // A reconnection may have missed any change. On the first connection only queries answered before a change are stale.
        if (wasLive || (message.hello && api.hasReadBefore(message.hello.since))) void client.invalidateQueries();
        else if (message.hello) changed(Object.entries(message.hello.topics).filter(([, position]) => api.hasReadBefore(position)));
        wasLive = true;
        return;
      }
      changed(message.change.topics.map((topic) => [topic, message.change.position]));
    });
    return () => {
      moved.clear();
      end();
    };
  }, [accountId, api, client]);
  return state;
};

/** ms between two rounds of refetching */
const BREATH = 300;

/** Whether a change of these topics made a query stale. */
export const concerns = (topics: ReadonlySet<string>) => {
  const moved = new Set([...topics].flatMap((topic) => [topic, topic.split(':')[0]]));
  return ({ meta }: { readonly meta: Readonly<Record<string, unknown>> | undefined }): boolean =>
    Array.isArray(meta?.['topics']) && meta['topics'].some((topic: unknown) => typeof topic === 'string' && moved.has(topic));
};
