import type { ChannelKind } from '#api/contract/channels';
import type { LiveAnswer } from '#api/contract/live';
import type { Query } from '@tanstack/react-query';
import { hashKey, QueryClient, QueryClientProvider, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Api } from './client.ts';
import type { Connection } from './connection.ts';
import { connect } from './connection.ts';
import type { Changes } from './query-freshness.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { LiveState } from './live.ts';
import { listenLive } from './live.ts';
import type { Questions } from './questions.ts';
import type { Retrying } from './requests.ts';
import type { SessionWatch } from './session-watch.ts';

const ApiContext = createContext<Connection | undefined>(undefined);

/** Provides the connection to the server; creates one if none is passed. */
export const ApiProvider = ({ connection, children }: { readonly connection?: Connection; readonly children: ReactNode }) => {
  const [own] = useState(() => {
    const made = connection ?? connect();
    made.api.cacheAnswers(createAnswerCache);
    return made;
  });
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
/** Why a request is being retried. Works without an ApiProvider too, as before the log-in: nothing is retried there. */
export const useRetrying = (): Retrying | undefined => {
  const { subscribe, now } = use(ApiContext)?.retrying ?? nothingIsRetried;
  return useSyncExternalStore(subscribe, now);
};

const nothingIsRetried: Connection['retrying'] = { subscribe: () => () => undefined, now: () => undefined };

/**
 * A query for TanStack Query, refetched when a live change concerns its last answer (query-freshness.ts). `ask` undefined: not yet. `asOf`: an ISO
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

/** Up to which position of the log the answer that the page holds is true; undefined: it holds none with a version. */
export const useAnswerPosition = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask']): bigint | undefined => {
  const api = useApi();
  return api.cacheAnswers(createAnswerCache).positionOf(hashKey(question(api, name, ask).queryKey));
};

/**
 * Resolves when the page shows the changes of these kinds that a command of one's own has made. An answer that the line keeps up to date is
 * refetched only if the line says nothing; one that is being asked for already, as of the command or later, is not asked for again.
 * `isLarge`: the line would only say to ask.
 */
export const useInvalidate = () => {
  const api = useApi();
  const client = useQueryClient();
  const cache = api.cacheAnswers(createAnswerCache);
  return useCallback(
    async (kinds: readonly ChannelKind[], isLarge = false) => {
      const isConcerned = api.freshness.concernedBy(kinds);
      const position = api.position();
      const isOutdated = api.freshness.concernedBefore(kinds, position);
      const isAsked = (query: Query) => api.freshness.isAskedFor(query, position);
      const isLive = ({ queryHash }: Query) => !isLarge && cache.isLive(queryHash);
      const isWanted = (query: Query) => isOutdated(query) && !isLive(query);
      const asked = client.invalidateQueries({ predicate: (query) => isWanted(query) && !isAsked(query) });
      // The line may have been faster than the answer to the command.
      const going = client.refetchQueries(
        { type: 'active', predicate: (query) => isWanted(query) && isAsked(query) },
        { cancelRefetch: false },
      );
      const live = client.getQueryCache().findAll({ type: 'active', predicate: (query) => isConcerned(query) && isLive(query) });
      const stale = await Promise.all(
        live.map(async ({ queryHash }) => ((await cache.until(queryHash, position, OWN_PATIENCE)) ? undefined : queryHash)),
      );
      await client.invalidateQueries({ predicate: ({ queryHash }) => stale.includes(queryHash) });
      await Promise.all([asked, going]);
    },
    [api, cache, client],
  );
};

/** Shows what the server announces: updates the answers whose changes the line sends, and refetches the others. */
export const useLive = (accountId: string | undefined): LiveState => {
  const api = useApi();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (accountId === undefined) return;
    const { freshness } = api;
    const cache = api.cacheAnswers(createAnswerCache);
    let wasLive = false;
    const changed: Changes = new Map();
    let asking = false;
    /** One round at a time: a burst of changes neither cancels an answer in flight nor refetches faster than the server answers. */
    const askAgain = async () => {
      if (asking) return;
      asking = true;
      while (changed.size > 0 || freshness.hasStale()) {
        const outdated = freshness.outdatedBy(new Map(changed));
        const isOutdated = (query: Query) => outdated(query) && !cache.isLive(query.queryHash);
        const isStale = freshness.takeStale();
        changed.clear();
        const isAsked = (query: Query) => isOutdated(query) || isStale(query);
        const asksAny = client.getQueryCache().findAll({ type: 'active', predicate: isAsked }).length > 0;
        await client.invalidateQueries({ predicate: isAsked });
        // Answers that the line updates were not asked for; if it then says to ask, nobody waits for that.
        if (asksAny) await new Promise((resolve) => setTimeout(resolve, BREATH));
      }
      asking = false;
    };
    freshness.onStale(() => void askAgain());
    const queries = client.getQueryCache();
    const isLive = ({ queryHash }: Query) => cache.isLive(queryHash);
    /** The line sends the changes of these answers; if it does not, as when its server was replaced, they are asked for. */
    const expect = (channels: readonly string[], position: bigint) => {
      const concerned = freshness.concernedBy(channels);
      for (const { queryHash } of client.getQueryCache().findAll({ predicate: (query) => isLive(query) && concerned(query) })) {
        void cache.until(queryHash, position, PATIENCE).then((isTrue) => {
          if (!isTrue) freshness.markStale(queryHash);
        });
      }
    };
    /** Asking again would throw away an answer that is on its way and may hold what is wanted. */
    const isAnswered = async (as: string, position: string): Promise<boolean> => {
      const isAsked = queries.get(as)?.state.fetchStatus === 'fetching';
      return isAsked && cache.until(as, BigInt(position), ON_ITS_WAY);
    };
    const show = (answer: LiveAnswer) => {
      for (const { as, data, isOutdated } of cache.applyLive(answer)) {
        const queryKey = queries.get(as)?.queryKey;
        if (isOutdated) void isAnswered(as, answer.position).then((isTrue) => !isTrue && freshness.markStale(as));
        else if (queryKey) client.setQueryData(queryKey, data);
      }
    };
    const end = listenLive(accountId, api.line(), (message) => {
      if (message.kind === 'answer') {
        api.seen(message.answer.position);
        show(message.answer);
        return;
      }
      if (message.kind === 'state') {
        const { state: now, hello, line } = message;
        setState(now);
        cache.connected(now === 'live' ? hello?.epoch : undefined);
        if (now !== 'live') return;
        const isAllKnown = hello !== undefined && freshness.connected(hello);
        const isOutdated = freshness.takeOutdated();
        if (hello?.epoch !== undefined && wasLive && !isAllKnown) api.reset(hello);
        void client.invalidateQueries(wasLive && !isAllKnown ? {} : { predicate: isOutdated });
        if (line !== undefined && line !== api.line()) {
          // The line sends only the changes of answers that were asked for with its id.
          api.joinLine(line);
          void client.invalidateQueries({ predicate: ({ queryHash }) => cache.has(queryHash) });
        }
        wasLive = true;
        return;
      }
      const { topics: channels, position } = message.change;
      api.seen(position);
      const at = BigInt(position);
      freshness.changed(channels, at);
      for (const channel of channels) changed.set(channel, at);
      expect(channels, at);
      void askAgain();
    });
    const endLeft = queries.subscribe(({ type, query }) => {
      if (type === 'removed') api.left(query, queries.getAll());
    });
    return () => {
      endLeft();
      changed.clear();
      freshness.onStale(() => undefined);
      end();
    };
  }, [accountId, api, client]);
  return state;
};

/** ms until an answer is asked for if the line says nothing of its change. */
const PATIENCE = 2_500;
/** The same after one's own command. */
const OWN_PATIENCE = 1_000;
/** ms that an answer may be on its way before it is asked for again. */
const ON_ITS_WAY = 500;
/** ms between two rounds of refetching */
const BREATH = 300;
