import type { CommandAnswer } from '#contract/live';
import { isUnexpected, problemOf, Refused, Unreachable } from './failure.ts';
import type { Commands, LongQuestions, Questions } from './questions.ts';

/** Why a request is taking its time, and whether it would store something: shown while it is tried again. */
export type Waiting = { readonly why: 'unreachable' | 'starting' | 'catching-up' | 'earlier' | 'unavailable'; readonly storing: boolean };

export type ApiOptions = {
  readonly fetch?: typeof fetch;
  /** Pause in ms between two tries. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Called with a reason when a request is about to be tried again, and with undefined when none waits any more. */
  readonly onWaiting?: (reason: Waiting | undefined) => void;
  /** The session has ended. Fulfilled when its owner has logged in again: the request then goes on. Undefined: nobody was at work here. */
  readonly onSignedOut?: () => Promise<void> | undefined;
  /** An answer that nobody planned for. */
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
/** `asOf`: an ISO instant; the answer is that of then. */
type AskedOf = Asked & { readonly asOf?: string | undefined };
type How = Asked & {
  readonly storing?: boolean;
  /** Somebody stands before a form and can press its button again: some tries, and an answer 401 is told. */
  readonly atTheDoor?: boolean;
  /** Somebody stands before a form: a server that is away is told at once. */
  readonly once?: boolean;
};

export type Api = ReturnType<typeof createApi>;

/** Pauses before the second, third, ... try; a little later each time, so that a room full of teachers does not knock in step. */
const pauses = [400, 900, 2_000, 4_000, 5_000];
/** After so long without an answer the connection counts as broken. The server itself answers much sooner. */
const SILENT = 60_000;

/**
 * The product's own HTTP, same origin, session in a cookie. Answers are data or they throw: `Refused` with the server's problem,
 * `Unreachable` when nothing came back.
 *
 * What passes by itself (no connection, a server that is starting, a read model that is behind, a log that is away, a session that has
 * ended) is tried again until it succeeds, which is safe: queries change nothing, and a command goes out again under the same
 * Idempotency-Key. Whoever asked waits, and `onWaiting` says why.
 *
 * Read your writes: the highest position that a command answered goes with every later query as X-Min-Position.
 */
export const createApi = ({
  fetch: send = fetch.bind(globalThis),
  pause = sleep,
  onWaiting = () => {},
  onSignedOut = () => undefined,
  onUnexpected = () => {},
}: ApiOptions = {}) => {
  let position: bigint | undefined;
  /** What the oldest of the answers stands on. */
  let readFrom: bigint | undefined;
  let eyes: string | undefined;
  const waiting = new Map<symbol, Waiting>();

  /** What would be stored is told before what would be read. */
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

  /** Headers are made anew for each try, so that a query asks for the newest position known. */
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

    /** POST /api/queries/{name}: changes nothing. */
    ask: <Name extends keyof LongQuestions>(name: Name, body: LongQuestions[Name]['ask'], asked: Asked = {}) =>
      request<LongQuestions[Name]['answer']>(`/api/queries/${name}`, () => json(body, withPosition({})), asked),

    /** `key`: made once for one act of the user, and the same for each try of it. */
    command: async <Name extends keyof Commands>(name: Name, input: Commands[Name]['input'], { key }: { readonly key: string }) => {
      const answer = await request<CommandAnswer<Commands[Name]['result']>>(
        `/api/commands/${name}`,
        () => json(input, { 'Idempotency-Key': key }),
        { storing: true },
      );
      seen(answer.position);
      return answer;
    },

    /** What is neither a query nor a command: `/api/status`, `/api/errors`. */
    get: <Answer>(path: string, asked: Asked = {}) => request<Answer>(path, () => ({}), asked),

    /** The front door's calls, `/api/door/...`. Nothing is tried twice but what waits for a log-in. */
    door: <Answer>(path: string, body?: unknown) =>
      request<Answer>(`/api/door${path}`, () => (body === undefined ? {} : json(body)), { once: true }),

    /** The identity library's calls of somebody who stands before a form, `/api/identity/...`. As `door`. */
    identity: <Answer>(path: string, body: unknown) => request<Answer>(`/api/identity${path}`, () => json(body), { once: true }),

    /** /api/rest/...; `key`, of a write: made once for one act of the user. `match`: the version of the record that he saw. */
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

    /** `needsCode`: the password was right, and this account asks for a second step. */
    signIn: async (email: string, password: string): Promise<{ readonly needsCode: boolean }> => {
      const answer = await request<unknown>('/api/identity/sign-in/email', () => json({ email, password }), { atTheDoor: true });
      return { needsCode: typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer };
    },

    /** The second step of a log-in: the code of somebody's authenticator, or one of his recovery codes. */
    verifyCode: (code: string, of: 'authenticator' | 'recovery') =>
      request<unknown>(`/api/identity/two-factor/${of === 'recovery' ? 'verify-backup-code' : 'verify-totp'}`, () => json({ code }), {
        atTheDoor: true,
      }),

    signOut: async () => {
      await request<unknown>('/api/identity/sign-out', () => json({}), { atTheDoor: true });
      position = undefined;
      readFrom = undefined;
    },

    /** A position heard of elsewhere (live): later queries answer nothing older. */
    seen,

    /** Whether some answer so far was read before that position. */
    hasReadBefore: (at: string): boolean => readFrom !== undefined && readFrom < BigInt(at),

    /** Through whose eyes every request looks from now on, as X-View-As says it; undefined: one's own. */
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
    // Read to its end here: an answer that breaks off is asked for again.
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

/** What a web server in front answers while Marktrail is away, as it is for a moment when it is restarted. */
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
