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
import { createHeld } from './answer-cache.ts';
import type { LiveState } from './live.ts';
import { listenLive } from './live.ts';
import type { Questions } from './questions.ts';
import type { Waiting } from './requests.ts';
import type { SessionWatch } from './session-watch.ts';

const ApiContext = createContext<Connection | undefined>(undefined);

/** Provides the connection to the server; creates one if none is passed. */
export const ApiProvider = ({ connection, children }: { readonly connection?: Connection; readonly children: ReactNode }) => {
  const [own] = useState(() => {
    const made = connection ?? connect();
    made.api.holding(createHeld);
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

/**
 * Resolves when the page shows the changes of these kinds that a command of one's own has made. An answer that the line keeps up to date is
 * refetched only if the line says nothing; one that is being asked for already, as of the command or later, is not asked for again.
 * `isLarge`: the line would only say to ask.
 */
export const useMoved = () => {
  const api = useApi();
  const client = useQueryClient();
  const held = api.holding(createHeld);
  return useCallback(
    async (kinds: readonly ChannelKind[], isLarge = false) => {
      const isConcerned = api.follows.concernedBy(kinds);
      const position = api.position();
      const isOld = api.follows.concernedBefore(kinds, position);
      const isAsked = (query: Query) => api.follows.isAskedFor(query, position);
      const isTold = ({ queryHash }: Query) => !isLarge && held.isTold(queryHash);
      const isWanted = (query: Query) => isOld(query) && !isTold(query);
      const asked = client.invalidateQueries({ predicate: (query) => isWanted(query) && !isAsked(query) });
      // The line may have been faster than the answer to the command.
      const going = client.refetchQueries(
        { type: 'active', predicate: (query) => isWanted(query) && isAsked(query) },
        { cancelRefetch: false },
      );
      const told = client.getQueryCache().findAll({ type: 'active', predicate: (query) => isConcerned(query) && isTold(query) });
      const late = await Promise.all(
        told.map(async ({ queryHash }) => ((await held.until(queryHash, position, OWN_PATIENCE)) ? undefined : queryHash)),
      );
      await client.invalidateQueries({ predicate: ({ queryHash }) => late.includes(queryHash) });
      await Promise.all([asked, going]);
    },
    [api, held, client],
  );
};

/** Shows what the server announces: updates the answers whose changes the line sends, and refetches the others. */
export const useLive = (accountId: string | undefined): LiveState => {
  const api = useApi();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (accountId === undefined) return;
    const { follows } = api;
    const held = api.holding(createHeld);
    let wasLive = false;
    const moved: Changes = new Map();
    let asking = false;
    /** One round at a time: a burst of changes neither cancels an answer in flight nor refetches faster than the server answers. */
    const askAgain = async () => {
      if (asking) return;
      asking = true;
      while (moved.size > 0 || follows.hasLate()) {
        const outdated = follows.outdatedBy(new Map(moved));
        const isOutdated = (query: Query) => outdated(query) && !held.isTold(query.queryHash);
        const isLate = follows.takeLate();
        moved.clear();
        const isAsked = (query: Query) => isOutdated(query) || isLate(query);
        const asksAny = client.getQueryCache().findAll({ type: 'active', predicate: isAsked }).length > 0;
        await client.invalidateQueries({ predicate: isAsked });
        // Answers that the line updates were not asked for; if it then says to ask, nobody waits for that.
        if (asksAny) await new Promise((resolve) => setTimeout(resolve, BREATH));
      }
      asking = false;
    };
    follows.onLate(() => void askAgain());
    const queries = client.getQueryCache();
    const isTold = ({ queryHash }: Query) => held.isTold(queryHash);
    /** The line sends the changes of these answers; if it does not, as when its server was replaced, they are asked for. */
    const expect = (channels: readonly string[], position: bigint) => {
      const concerned = follows.concernedBy(channels);
      for (const { queryHash } of client.getQueryCache().findAll({ predicate: (query) => isTold(query) && concerned(query) })) {
        void held.until(queryHash, position, PATIENCE).then((isTrue) => {
          if (!isTrue) follows.late(queryHash);
        });
      }
    };
    /** Asking again would throw away an answer that is on its way and may hold what is wanted. */
    const isAnswered = async (as: string, position: string): Promise<boolean> => {
      const isAsked = queries.get(as)?.state.fetchStatus === 'fetching';
      return isAsked && held.until(as, BigInt(position), ON_ITS_WAY);
    };
    const show = (answer: LiveAnswer) => {
      for (const { as, data, isOutdated } of held.told(answer)) {
        const queryKey = queries.get(as)?.queryKey;
        if (isOutdated) void isAnswered(as, answer.position).then((isTrue) => !isTrue && follows.late(as));
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
        held.lineOf(now === 'live' ? hello?.epoch : undefined);
        if (now !== 'live') return;
        const isAllTold = hello !== undefined && follows.began(hello);
        const isOld = follows.takeOld();
        if (hello?.epoch !== undefined && wasLive && !isAllTold) api.begunAnew(hello);
        void client.invalidateQueries(wasLive && !isAllTold ? {} : { predicate: isOld });
        if (line !== undefined && line !== api.line()) {
          // The line sends only the changes of answers that were asked for with its id.
          api.joinLine(line);
          void client.invalidateQueries({ predicate: ({ queryHash }) => held.isHeld(queryHash) });
        }
        wasLive = true;
        return;
      }
      const { topics: channels, position } = message.change;
      api.seen(position);
      const at = BigInt(position);
      follows.changed(channels, at);
      for (const channel of channels) moved.set(channel, at);
      expect(channels, at);
      void askAgain();
    });
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

/** ms until an answer is asked for if the line says nothing of its change. */
const PATIENCE = 2_500;
/** The same after one's own command. */
const OWN_PATIENCE = 1_000;
/** ms that an answer may be on its way before it is asked for again. */
const ON_ITS_WAY = 500;
/** ms between two rounds of refetching */
const BREATH = 300;
