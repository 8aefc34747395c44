import type { CommandAnswer } from '#contract/live';
import { problemOf, Refused, Unreachable } from './failure.ts';
import type { Commands, LongQuestions, Questions } from './questions.ts';

/** Why a request is taking its time: shown while it is tried again. */
export type Waiting = 'unreachable' | 'starting' | 'catching-up' | 'busy';

export type ApiOptions = {
  readonly fetch?: typeof fetch;
  /** Pause in ms between two tries. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Called with a reason when a request is about to be tried again, and with undefined when none waits any more. */
  readonly onWaiting?: (reason: Waiting | undefined) => void;
};

type Asked = { readonly signal?: AbortSignal };

export type Api = ReturnType<typeof createApi>;

/** Pauses before the second, third, ... try; a little later each time, so that a room full of teachers does not knock in step. */
const pauses = [400, 900, 2_000, 4_000, 7_000];

/**
 * The product's own HTTP, same origin, session in a cookie. Answers are data or they throw: `Refused` with the server's problem,
 * `Unreachable` when nothing came back. What may pass by itself (no connection, a server that is starting, a read model that is behind, a full server) is tried
 * again, which is safe: queries change nothing, and a command goes out again under the same Idempotency-Key.
 *
 * Read your writes: the highest position that a command answered goes with every later query as X-Min-Position.
 */
export const createApi = ({ fetch: send = fetch.bind(globalThis), pause = sleep, onWaiting = () => {} }: ApiOptions = {}) => {
  let position: bigint | undefined;
  let waiting = 0;

  const seen = (at: string | null | undefined) => {
    if (at === null || at === undefined) return;
    const value = BigInt(at);
    if (position === undefined || value > position) position = value;
  };

  const withPosition = (headers: Record<string, string>) =>
    position === undefined ? headers : { ...headers, 'X-Min-Position': position.toString() };

  /** Headers are made anew for each try, so that a query asks for the newest position known. */
  const request = async <Answer>(path: string, init: () => RequestInit, signal?: AbortSignal): Promise<Answer> => {
    let waited = false;
    try {
      for (let attempt = 0; ; attempt++) {
        const outcome = await once<Answer>(send, path, { ...init(), ...(signal ? { signal } : {}) });
        if (outcome.kind === 'answer') return outcome.answer;
        const delay = pauses[attempt];
        const reason = outcome.kind === 'gone' ? 'unreachable' : transient(outcome.failure);
        if (delay === undefined || reason === undefined) throw outcome.failure;
        if (!waited) {
          waited = true;
          waiting++;
        }
        onWaiting(reason);
        await pause(delay * (0.75 + Math.random() / 2));
        signal?.throwIfAborted();
      }
    } finally {
      if (waited && --waiting === 0) onWaiting(undefined);
    }
  };

  return {
    /** GET /api/queries/{name}?... */
    query: <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask'], { signal }: Asked = {}) =>
      request<Questions[Name]['answer']>(`/api/queries/${name}${search(ask)}`, () => ({ headers: withPosition({}) }), signal),

    /** POST /api/queries/{name}: changes nothing. */
    ask: <Name extends keyof LongQuestions>(name: Name, body: LongQuestions[Name]['ask'], { signal }: Asked = {}) =>
      request<LongQuestions[Name]['answer']>(`/api/queries/${name}`, () => json(body, withPosition({})), signal),

    /** `key`: made once for one act of the user, and the same for each try of it. */
    command: async <Name extends keyof Commands>(name: Name, input: Commands[Name]['input'], { key }: { readonly key: string }) => {
      const answer = await request<CommandAnswer<Commands[Name]['result']>>(`/api/commands/${name}`, () =>
        json(input, { 'Idempotency-Key': key }),
      );
      seen(answer.position);
      return answer;
    },

    signIn: (email: string, password: string) => request<unknown>('/api/identity/sign-in/email', () => json({ email, password })),

    signOut: async () => {
      await request<unknown>('/api/identity/sign-out', () => json({}));
      position = undefined;
    },

    /** A position heard of elsewhere (live): later queries answer nothing older. */
    seen,
  };
};

type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly failure: Refused }
  | { readonly kind: 'gone'; readonly failure: Unreachable };

const once = async <Answer>(send: typeof fetch, path: string, init: RequestInit): Promise<Outcome<Answer>> => {
  try {
    const response = await send(path, { credentials: 'same-origin', ...init });
    if (!response.ok) return { kind: 'refused', failure: new Refused(await problemOf(response)) };
    return { kind: 'answer', answer: (await response.json()) as Answer };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { kind: 'gone', failure: new Unreachable() };
  }
};

const transient = (failure: Error): Waiting | undefined => {
  if (!(failure instanceof Refused)) return undefined;
  if (failure.code === 'read-model-behind') return 'catching-up';
  if (failure.code === 'starting') return 'starting';
  if (failure.code === 'store-unavailable') return 'busy';
  return GATEWAY_ALONE.includes(failure.problem.status) ? 'unreachable' : undefined;
};

/** What a web server in front answers while Marktrail is away, as it is for a moment when it is restarted. */
const GATEWAY_ALONE = [502, 504];

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
