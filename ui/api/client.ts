import type { CommandAnswer } from '#contract/live';
import { isUnexpected, problemOf, Refused, Unreachable } from './failure.ts';
import type { Commands, LongQuestions, Questions } from './questions.ts';

/** Why a request is being retried, and whether it stores something. */
export type Waiting = { readonly why: 'unreachable' | 'starting' | 'catching-up' | 'earlier' | 'unavailable'; readonly storing: boolean };

export type ApiOptions = {
  readonly fetch?: typeof fetch;
  /** Waits between two tries. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Called with the reason when a request is retried, and with undefined when none is waiting any more. */
  readonly onWaiting?: (reason: Waiting | undefined) => void;
  /**
   * The session has ended. Resolves when the user has logged in again, and the request continues. Undefined: nobody is working here, so
   * the request fails.
   */
  readonly onSignedOut?: () => Promise<void> | undefined;
  /** A failure that the product does not plan for. */
  readonly onUnexpected?: (failure: Error) => void;
};

type RestRead = { readonly method: 'GET'; readonly body?: undefined; readonly key?: undefined; readonly match?: undefined };
type RestWrite = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** JSON */
  readonly body?: string | undefined;
  readonly key: string;
  readonly match?: string | undefined;
};
export type RestAnswer = { readonly status: number; readonly headers: Headers; readonly body: string; readonly json: unknown };

type Asked = { readonly signal?: AbortSignal };
/** `asOf`: an ISO instant; the answer as of that time. */
type AskedOf = Asked & { readonly asOf?: string | undefined };
type How = Asked & {
  readonly storing?: boolean;
  /** For sign-in forms: few retries, and a 401 is thrown, because the user can press the button again. */
  readonly atTheDoor?: boolean;
  /** For forms: no retries. The user is told at once and can press the button again. */
  readonly once?: boolean;
};

export type Api = ReturnType<typeof createApi>;

/** ms before the second, third, ... try, with jitter, so that a room full of teachers does not retry in step. */
const pauses = [400, 900, 2_000, 4_000, 5_000];
/** ms without an answer after which the connection counts as broken. The server itself answers much sooner. */
const SILENT = 60_000;

/**
 * The product's HTTP API, same origin, session in a cookie. Calls return data or throw: `Refused` with the server's problem,
 * `Unreachable` without an answer.
 *
 * Temporary failures (no connection, a server that is starting, a read model that is behind, a log that is down, an ended session) are
 * retried until they succeed. That is safe: queries change nothing, and a command keeps its Idempotency-Key. Meanwhile `onWaiting` says
 * why.
 *
 * Read your writes: the highest position answered to a command goes with every later query as X-Min-Position.
 */
export const createApi = ({
  fetch: send = fetch.bind(globalThis),
  pause = sleep,
  onWaiting = () => {},
  onSignedOut = () => undefined,
  onUnexpected = () => {},
}: ApiOptions = {}) => {
  let position: bigint | undefined;
  /** The lowest position that any answer so far was read at. */
  let readFrom: bigint | undefined;
  let eyes: string | undefined;
  const waiting = new Map<symbol, Waiting>();

  /** A waiting write is reported before a waiting read. */
  const tell = () => {
    const all = [...waiting.values()];
    onWaiting(all.find(({ storing }) => storing) ?? all[0]);
  };

  const seen = (at: string | null | undefined) => {
    if (at === null || at === undefined) return;
    const value = BigInt(at);
    if (position === undefined || value > position) position = value;
  };

  const readAt = (headers: Headers) => {
    const at = headers.get('X-Read-Position');
    if (at === null) return;
    const value = BigInt(at);
    if (readFrom === undefined || value < readFrom) readFrom = value;
  };

  const withPosition = (headers: Record<string, string>) =>
    position === undefined ? headers : { ...headers, 'X-Min-Position': position.toString() };

  /** `init` runs for each try, so that a query asks for the newest known position. */
  const request = async <Answer>(path: string, init: () => RequestInit, how?: How): Promise<Answer> => {
    const response = await answerTo(path, init, how);
    return (await response.json()) as Answer;
  };

  const answerTo = async (
    path: string,
    init: () => RequestInit,
    { signal, storing = false, atTheDoor = false, once: onlyOnce = false }: How = {},
  ): Promise<Response> => {
    const me = Symbol(path);
    try {
      for (let attempt = 0; ; attempt++) {
        const outcome = await once(send, path, atTheDoor ? init() : through(eyes, init()), signal);
        if (outcome.kind === 'answer') return outcome.answer;
        if (!atTheDoor && outcome.failure instanceof Refused && outcome.failure.code === 'not-authenticated') {
          const signedIn = onSignedOut();
          if (signedIn === undefined) throw outcome.failure;
          await signedIn;
          signal?.throwIfAborted();
          continue;
        }
        const why = outcome.kind === 'gone' ? 'unreachable' : transient(outcome.failure);
        if (why === undefined && isUnexpected(outcome.failure)) onUnexpected(outcome.failure);
        if (why === undefined || onlyOnce || (atTheDoor && why !== 'starting' && attempt >= pauses.length)) throw outcome.failure;
        waiting.set(me, { why, storing });
        tell();
        await pause((pauses[Math.min(attempt, pauses.length - 1)] ?? 0) * (0.75 + Math.random() / 2));
        signal?.throwIfAborted();
      }
    } finally {
      if (waiting.delete(me)) tell();
    }
  };

  return {
    /** GET /api/queries/{name}?... */
    query: async <Name extends keyof Questions>(
      name: Name,
      ask: Questions[Name]['ask'],
      { asOf, ...asked }: AskedOf = {},
    ): Promise<Questions[Name]['answer']> => {
      const path = `/api/queries/${name}${search({ ...ask, asOf })}`;
      const response = await answerTo(path, () => ({ headers: withPosition({}) }), asked);
      readAt(response.headers);
      return (await response.json()) as Questions[Name]['answer'];
    },

    /** POST /api/queries/{name}; changes nothing. */
    ask: <Name extends keyof LongQuestions>(name: Name, body: LongQuestions[Name]['ask'], asked: Asked = {}) =>
      request<LongQuestions[Name]['answer']>(`/api/queries/${name}`, () => json(body, withPosition({})), asked),

    /** `key`: one per user action, the same for every try of it. */
    command: async <Name extends keyof Commands>(name: Name, input: Commands[Name]['input'], { key }: { readonly key: string }) => {
      const answer = await request<CommandAnswer<Commands[Name]['result']>>(
        `/api/commands/${name}`,
        () => json(input, { 'Idempotency-Key': key }),
        { storing: true },
      );
      seen(answer.position);
      return answer;
    },

    /** Anything that is neither a query nor a command: `/api/status`, `/api/errors`. */
    get: <Answer>(path: string, asked: Asked = {}) => request<Answer>(path, () => ({}), asked),

    /** Calls of the front door, `/api/door/...`. Not retried, except after a new log-in. */
    door: <Answer>(path: string, body?: unknown) =>
      request<Answer>(`/api/door${path}`, () => (body === undefined ? {} : json(body)), { once: true }),

    /** Calls of the identity library from a form, `/api/identity/...`. Not retried, as with `door`. */
    identity: <Answer>(path: string, body: unknown) => request<Answer>(`/api/identity${path}`, () => json(body), { once: true }),

    /** /api/rest/...; `key`, for writes: one per user action. `match`: the version of the record that the user saw. */
    rest: async (path: string, { method, body, key, match }: RestWrite | RestRead, asked: Asked = {}): Promise<RestAnswer> => {
      const response = await answerTo(
        path,
        () => ({
          method,
          headers: withPosition({
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(key === undefined ? {} : { 'Idempotency-Key': key }),
            ...(match === undefined ? {} : { 'If-Match': `"${match}"` }),
          }),
          ...(body === undefined ? {} : { body }),
        }),
        { ...asked, storing: method !== 'GET' },
      );
      seen(response.headers.get('X-Position'));
      readAt(response.headers);
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text, json: JSON.parse(text) as unknown };
    },

    /** `needsCode`: the password was right, and the account needs a second step. */
    signIn: async (email: string, password: string): Promise<{ readonly needsCode: boolean }> => {
      const answer = await request<unknown>('/api/identity/sign-in/email', () => json({ email, password }), { atTheDoor: true });
      return { needsCode: typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer };
    },

    /** The second step of a log-in: a code of the authenticator, or a recovery code. */
    verifyCode: (code: string, of: 'authenticator' | 'recovery') =>
      request<unknown>(`/api/identity/two-factor/${of === 'recovery' ? 'verify-backup-code' : 'verify-totp'}`, () => json({ code }), {
        atTheDoor: true,
      }),

    signOut: async () => {
      await request<unknown>('/api/identity/sign-out', () => json({}), { atTheDoor: true });
      position = undefined;
      readFrom = undefined;
    },

    /** Records a position learnt elsewhere (live): later queries answer nothing older. */
    seen,

    /** Whether any answer so far was read before that position. */
    hasReadBefore: (at: string): boolean => readFrom !== undefined && readFrom < BigInt(at),

    /** The X-View-As header of all later requests; undefined: none. */
    lookAs(viewAs: string | undefined): void {
      eyes = viewAs;
    },
  };
};

type Outcome =
  | { readonly kind: 'answer'; readonly answer: Response }
  | { readonly kind: 'refused'; readonly failure: Refused }
  | { readonly kind: 'gone'; readonly failure: Unreachable };

const once = async (send: typeof fetch, path: string, init: RequestInit, asker?: AbortSignal): Promise<Outcome> => {
  const silent = AbortSignal.timeout(SILENT);
  try {
    const signal = asker ? AbortSignal.any([asker, silent]) : silent;
    const response = await send(path, { credentials: 'same-origin', ...init, signal });
    if (!response.ok) return { kind: 'refused', failure: new Refused(await problemOf(response)) };
    // The body is read here, so that a truncated answer is retried.
    return { kind: 'answer', answer: new Response(await response.arrayBuffer(), response) };
  } catch (error) {
    if (asker?.aborted) throw error;
    return { kind: 'gone', failure: new Unreachable() };
  }
};

const transient = (failure: Error): Waiting['why'] | undefined => {
  if (!(failure instanceof Refused)) return undefined;
  if (failure.code === 'read-model-behind') return 'catching-up';
  if (failure.code === 'as-of-busy') return 'earlier';
  if (failure.code === 'starting') return 'starting';
  if (failure.code === 'store-unavailable') return 'unavailable';
  return GATEWAY_ALONE.includes(failure.problem.status) ? 'unreachable' : undefined;
};

/** What a reverse proxy answers while Marktrail restarts. */
const GATEWAY_ALONE = [502, 504];

const through = (eyes: string | undefined, init: RequestInit): RequestInit =>
  eyes === undefined ? init : { ...init, headers: { ...init.headers, 'X-View-As': eyes } };

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const search = (ask: Readonly<Record<string, string | undefined>>): string => {
  const text = new URLSearchParams(Object.entries(ask).filter((pair): pair is [string, string] => pair[1] !== undefined)).toString();
  return text && `?${text}`;
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
