import type { ChannelKind } from '#api/contract/channels';
import { hashKey, QueryClient, QueryClientProvider, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
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

/**
 * A query for TanStack Query, refetched when a live change concerns its last answer (follows.ts). `ask` undefined: not yet. `asOf`: an ISO
 * instant; the past does not change, so such a query is never refetched.
 */
export const question = <Name extends keyof Questions>(api: Api, name: Name, ask: Questions[Name]['ask'] | undefined, asOf?: string) => {
  const queryKey = [name, ask, asOf] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      if (ask === undefined) throw new Error(`${name} is asked too early.`);
      return api.query(name, ask, { signal, asOf, ...(asOf === undefined ? { as: hashKey(queryKey) } : {}) });
    },
    enabled: ask !== undefined,
    ...(asOf === undefined ? {} : { staleTime: Infinity }),
  });
};

export const useQuestion = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask'] | undefined, asOf?: string) => {
  const api = useApi();
  return useQuery(question(api, name, ask, asOf));
};

/** Refetches what changes of these kinds made stale; after one's own commands, without waiting for the live message. */
export const useMoved = () => {
  const api = useApi();
  const client = useQueryClient();
  return useCallback(
    (kinds: readonly ChannelKind[]) => client.invalidateQueries({ predicate: api.follows.concernedBy(kinds) }),
    [api, client],
  );
};

/** Refetches the app's queries as the server announces changes. */
export const useLive = (accountId: string | undefined): LiveState => {
  const api = useApi();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (accountId === undefined) return;
    const { follows } = api;
    let wasLive = false;
    const moved = new Set<string>();
    let asking = false;
    /** One round at a time: a burst of changes neither cancels an answer in flight nor refetches faster than the server answers. */
    const askAgain = async () => {
      if (asking) return;
      asking = true;
      while (moved.size > 0 || follows.hasLate()) {
        const isConcerned = follows.concernedBy([...moved]);
        const isLate = follows.takeLate();
        moved.clear();
        await client.invalidateQueries({ predicate: (query) => isConcerned(query) || isLate(query) });
        await new Promise((resolve) => setTimeout(resolve, BREATH));
      }
      asking = false;
    };
    follows.onLate(() => void askAgain());
    const end = listenLive(accountId, (message) => {
      if (message.kind === 'state') {
        setState(message.state);
        if (message.state !== 'live') return;
        const isAllTold = message.hello !== undefined && follows.began(message.hello);
        const isOld = follows.takeOld();
        void client.invalidateQueries(wasLive && !isAllTold ? {} : { predicate: isOld });
        wasLive = true;
        return;
      }
      const { topics: channels, position } = message.change;
      api.seen(position);
      follows.changed(channels);
      for (const channel of channels) moved.add(channel);
      void askAgain();
    });
    const queries = client.getQueryCache();
    const endLeft = queries.subscribe(({ type, query }) => {
      if (type === 'removed') api.left(query, queries.getAll());
    });
    return () => {
      endLeft();
      moved.clear();
      follows.onLate(() => undefined);
      end();
    };
  }, [accountId, api, client]);
  return state;
};

/** ms between two rounds of refetching */
const BREATH = 300;
