import type { Preparing } from '#api/contract/preparing';
import { isRefusedAsAnother, isUnexpected, problemOf, ApiRefusal, Unreachable } from './failure.ts';

/** Why a request is being retried, and whether it stores something. */
export type Retrying = {
  readonly why: 'unreachable' | 'starting' | 'catching-up' | 'earlier' | 'preparing' | 'busy' | 'unavailable';
  readonly storing: boolean;
  /** How far an earlier moment is. */
  readonly preparing?: Preparing;
};

export type RequestOptions = {
  readonly fetch?: typeof fetch;
  /** Waits between two tries. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Called with the reason when a request is retried, and with undefined when none is waiting any more. */
  readonly onRetrying?: (reason: Retrying | undefined) => void;
  /**
   * The session has ended. Resolves when the user has logged in again, and the request continues. Undefined: nobody is working here, so the
   * request fails.
   */
  readonly onSignedOut?: () => Promise<void> | undefined;
  /** Whether somebody is in front of the page. Otherwise its requests do not keep the session from ending. */
  readonly isAttended?: () => boolean;
  /** Called with a failure that the product does not plan for. */
  readonly onUnexpected?: (failure: Error) => void;
};

export type How = {
  readonly signal?: AbortSignal;
  readonly storing?: boolean;
  /** For sign-in forms: few retries, and a 401 is thrown, because the user can press the button again. */
  readonly atLogIn?: boolean;
  /** For forms: no retries. The user is told at once and can press the button again. */
  readonly once?: boolean;
  /** As whom it was done, where the page may be viewed as somebody else by now (X-View-As; '': as oneself). */
  readonly as?: string | undefined;
};

/** ms before the second, third, ... try, with jitter, so that a room full of teachers does not retry in step. */
const pauses = [400, 900, 2_000, 4_000, 5_000];
/** ms until it is asked how far an earlier moment is; the server itself waits for it a second each time. */
const PREPARING = 200;
/** ms without an answer after which the connection counts as broken. The server itself answers much sooner. */
const SILENT = 60_000;

/**
 * Sends requests, same origin, session in a cookie. Answers 2xx or throws: `ApiRefusal` with the server's problem, `Unreachable` without an
 * answer.
 *
 * Temporary failures (no connection, a server that is starting, a read model that is behind, a log that is down, an ended session) are
 * retried until they succeed. That is safe: queries change nothing, and a command keeps its Idempotency-Key. Meanwhile `onRetrying` says why.
 */
export const createRequests = ({
  fetch: send = fetch.bind(globalThis),
  pause = sleep,
  onRetrying = () => {},
  onSignedOut = () => undefined,
  isAttended = () => true,
  onUnexpected = () => {},
}: RequestOptions) => {
  let viewAs: string | undefined;
  let account: string | undefined;
  const waiting = new Map<symbol, Retrying>();

  /** A waiting write is reported before a waiting read. */
  const tell = () => {
    const all = [...waiting.values()];
    onRetrying(all.find(({ storing }) => storing) ?? all[0]);
  };

  return {
    /** `init` runs for each try, so that a query asks for the newest known position. */
    answerTo: async (
      path: string,
      init: () => RequestInit,
      { signal, storing = false, atLogIn = false, once: onlyOnce = false, as }: How = {},
    ): Promise<Response> => {
      const me = Symbol(path);
      try {
        for (let attempt = 0; ; attempt++) {
          const viewed = as ?? viewAs;
          const outcome = await once(
            send,
            path,
            atLogIn ? init() : through({ viewAs: viewed, account, isAttended: isAttended() }, init()),
            { viewAs: viewed, abort: signal },
          );
          if (outcome.kind === 'answer') return outcome.answer;
          if (outcome.kind === 'preparing') {
            waiting.set(me, { why: 'preparing', storing, preparing: outcome.preparing });
            tell();
            await pause(PREPARING);
            signal?.throwIfAborted();
            continue;
          }
          // The page is viewed as somebody else by now: it asks again as them. What stores something is recorded as whoever did it.
          if (!storing && !atLogIn && as === undefined && isRefusedAsAnother(outcome.failure, viewAs)) {
            signal?.throwIfAborted();
            continue;
          }
          if (!atLogIn && outcome.failure instanceof ApiRefusal && outcome.failure.code === 'not-authenticated') {
            const signedIn = onSignedOut();
            if (signedIn === undefined) throw outcome.failure;
            await signedIn;
            signal?.throwIfAborted();
            continue;
          }
          const isTooFast = outcome.kind === 'refused' && outcome.failure.code === 'too-fast';
          const why = outcome.kind === 'gone' ? 'unreachable' : isTooFast ? 'busy' : transient(outcome.failure);
          if (why === undefined && isUnexpected(outcome.failure)) onUnexpected(outcome.failure);
          if (why === undefined || onlyOnce || (atLogIn && why !== 'starting' && attempt >= pauses.length)) throw outcome.failure;
          // Not reported: it is over in a moment.
          if (!isTooFast) waiting.set(me, { why, storing });
          tell();
          await pause((pauses[Math.min(attempt, pauses.length - 1)] ?? 0) * (0.75 + Math.random() / 2));
          signal?.throwIfAborted();
        }
      } finally {
        if (waiting.delete(me)) tell();
      }
    },

    /** The X-View-As header of all later requests; undefined: none. */
    viewAs: (role: string | undefined): void => {
      viewAs = role;
    },

    /** For whom this page sends: if somebody else has logged in in this browser since, the server does none of it in their name. */
    sendFor: (accountId: string): void => {
      account = accountId;
    },
  };
};

type Outcome =
  | { readonly kind: 'answer'; readonly answer: Response }
  | { readonly kind: 'preparing'; readonly preparing: Preparing }
  | { readonly kind: 'refused'; readonly failure: ApiRefusal }
  | { readonly kind: 'gone'; readonly failure: Unreachable };

type OnceHow = { readonly viewAs: string | undefined; readonly abort: AbortSignal | undefined };

const once = async (send: typeof fetch, path: string, init: RequestInit, { viewAs, abort }: OnceHow): Promise<Outcome> => {
  const silent = AbortSignal.timeout(SILENT);
  try {
    const signal = abort ? AbortSignal.any([abort, silent]) : silent;
    const response = await send(path, { credentials: 'same-origin', ...init, signal });
    if (response.status === NOT_MODIFIED) return { kind: 'answer', answer: response };
    if (response.status === 202) return { kind: 'preparing', preparing: (await response.json()) as Preparing };
    if (!response.ok) return { kind: 'refused', failure: new ApiRefusal(await problemOf(response), viewAs) };
    // The body is read here, so that a truncated answer is retried.
    return { kind: 'answer', answer: new Response(await response.arrayBuffer(), response) };
  } catch (error) {
    if (abort?.aborted) throw error;
    return { kind: 'gone', failure: new Unreachable() };
  }
};

/** The page holds the answer already. Sent only in answer to If-None-Match. */
export const NOT_MODIFIED = 304;

const transient = (failure: Error): Retrying['why'] | undefined => {
  if (!(failure instanceof ApiRefusal)) return undefined;
  if (failure.code === 'read-model-behind') return 'catching-up';
  if (failure.code === 'as-of-busy') return 'earlier';
  if (failure.code === 'busy') return 'busy';
  if (failure.code === 'starting') return 'starting';
  if (failure.code === 'store-unavailable') return 'unavailable';
  return GATEWAY_ALONE.includes(failure.problem.status) ? 'unreachable' : undefined;
};

/** What a reverse proxy answers while Marktrail restarts. */
const GATEWAY_ALONE = [502, 504];

type Sender = { readonly viewAs: string | undefined; readonly account: string | undefined; readonly isAttended: boolean };

const through = ({ viewAs, account, isAttended }: Sender, init: RequestInit): RequestInit => ({
  ...init,
  headers: {
    ...init.headers,
    ...(viewAs === undefined || viewAs === '' ? {} : { 'X-View-As': viewAs }),
    // A page must be able to find out that somebody else is logged in by now.
    ...(account === undefined || init.method === undefined || init.method === 'GET' ? {} : { 'X-Account': account }),
    ...(isAttended ? {} : { 'X-Unattended': '1' }),
  },
});

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
