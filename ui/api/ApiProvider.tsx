import type { ChannelKind } from '#api/contract/channels';
import type { Query } from '@tanstack/react-query';
import { hashKey, QueryClient, QueryClientProvider, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Api } from './client.ts';
import type { Connection, SessionWatch } from './connection.ts';
import { connect } from './connection.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { LiveState } from './live.ts';
import { LiveUpdates } from './live-updates.ts';
import { takeOpening } from './opening.ts';
import type { Questions } from './questions.ts';
import type { Retrying } from './requests.ts';

const ApiContext = createContext<Connection | undefined>(undefined);

export const ApiProvider = ({ connection, children }: { readonly connection?: Connection; readonly children: ReactNode }) => {
  const [value] = useState(() => {
    const made = connection ?? connect();
    made.api.cacheAnswers(createAnswerCache);
    return made;
  });
  const [client] = useState(() => {
    const made = new QueryClient({
      /** The client already retries what can succeed later; a refused query stays refused. */
      defaultOptions: {
        queries: { retry: false, staleTime: 30_000, networkMode: 'always' },
        mutations: { retry: false, networkMode: 'always' },
      },
    });
    takeOpening(value.api, made);
    return made;
  });
  return (
    <ApiContext value={value}>
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
 * A query for TanStack Query, refetched when a live change concerns its last answer (answers.ts). `ask` undefined: not yet. `asOf`: an ISO
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

/** Whether a dialog is over what is within: of an answer that changes meanwhile, it shows the last one when the dialog closes. */
export const CoveredContext = createContext(false);

/** For `useQuery`: beneath a dialog a page is drawn for what it waits for, and not for what changes. */
export const useCovered = (): { readonly notifyOnChangeProps?: ['status'] } =>
  use(CoveredContext) ? { notifyOnChangeProps: ['status'] } : {};

/** `read`: how the page reads the answer. */
export const useQuestion = <Name extends keyof Questions>(
  name: Name,
  ask: Questions[Name]['ask'] | undefined,
  asOf?: string,
  read?: (answer: Questions[Name]['answer']) => Questions[Name]['answer'],
) => {
  const api = useApi();
  return useQuery({ ...question(api, name, ask, asOf), ...(read && { select: read }), ...useCovered() });
};

/** Asks the server even if the page holds an answer: for what leaves the page, such as a file. `asOf`: an earlier moment. */
export const useFresh = (asOf?: string) => {
  const api = useApi();
  const client = useQueryClient();
  return useCallback(
    <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask']) =>
      client.fetchQuery({ ...question(api, name, ask, asOf), ...(asOf === undefined && { staleTime: 0 }) }),
    [api, client, asOf],
  );
};

/** Up to which position of the log the answer that the page holds is true; undefined: it holds none with a version. */
export const useAnswerPosition = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask']): bigint | undefined => {
  const api = useApi();
  return api.cacheAnswers(createAnswerCache).positionOf(hashKey(question(api, name, ask).queryKey));
};

/**
 * Resolves when the page shows the changes of these kinds that a command of one's own has made. An answer that the live connection keeps up
 * to date is refetched only if nothing comes over it; one that is being asked for already, as of the command or later, is not asked for
 * again. `isLarge`: the connection would only say to ask.
 */
export const useInvalidate = () => {
  const api = useApi();
  const client = useQueryClient();
  const cache = api.cacheAnswers(createAnswerCache);
  return useCallback(
    async (kinds: readonly ChannelKind[], isLarge = false) => {
      const position = api.position();
      const isConcerned = api.answers.concernedBy(kinds);
      // The change may have been announced before the command was answered, and asked for then.
      const isOutdated = api.answers.outdated(kinds.map((kind) => [kind, position]));
      const isAsked = (query: Query) => api.answers.isAskedFor(query, position);
      const isLive = ({ queryHash }: Query) => !isLarge && cache.isLive(queryHash);
      const isWanted = (query: Query) => isOutdated(query) && !isLive(query);
      const refetched = client.invalidateQueries({ predicate: (query) => isWanted(query) && !isAsked(query) });
      const underway = client.refetchQueries(
        { type: 'active', predicate: (query) => isWanted(query) && isAsked(query) },
        { cancelRefetch: false },
      );
      const live = client.getQueryCache().findAll({ type: 'active', predicate: (query) => isConcerned(query) && isLive(query) });
      const stale = await Promise.all(
        live.map(async ({ queryHash }) => ((await cache.until(queryHash, position, OWN_PATIENCE)) ? undefined : queryHash)),
      );
      await client.invalidateQueries({ predicate: ({ queryHash }) => stale.includes(queryHash) });
      await Promise.all([refetched, underway]);
    },
    [api, cache, client],
  );
};

/** Shows what the server announces. */
export const useLive = (accountId: string | undefined): LiveState => {
  const api = useApi();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(
    () => (accountId === undefined ? undefined : new LiveUpdates(api, client).start(accountId, setState)),
    [accountId, api, client],
  );
  return state;
};

/** ms until an answer is asked for if what one's own command has changed does not come over the live connection. */
const OWN_PATIENCE = 1_000;
