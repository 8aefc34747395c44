import { LINE_HEADER, RESPOND_ASYNC } from '#api/contract/channels';
import type { CommandAnswer, LiveHello } from '#api/contract/live';
import type { AnswerCache } from './answer-cache.ts';
import type { Query } from './answers.ts';
import { Answers } from './answers.ts';
import { isCertain } from './failure.ts';
import type { Commands, LongQuestions, Questions } from './questions.ts';
import type { How, RequestOptions } from './requests.ts';
import { createRequests, NOT_MODIFIED } from './requests.ts';
import { uuid } from './uuid.ts';

type RestRead = { readonly method: 'GET'; readonly body?: undefined; readonly match?: undefined };
type RestWrite = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** JSON */
  readonly body?: string | undefined;
  readonly match?: string | undefined;
};
export type RestAnswer = { readonly status: number; readonly headers: Headers; readonly body: string; readonly json: unknown };

/** `as`: the name of the query that follows changes. */
type Options = { readonly signal?: AbortSignal; readonly as?: string };
/** `asOf`: an ISO instant; the answer as of that time. */
type OptionsOf = Options & { readonly asOf?: string | undefined };

/** An answer that has come with the page. */
export type Brought = {
  readonly name: keyof Questions;
  readonly ask: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

export type Api = ReturnType<typeof createApi>;

/**
 * The product's HTTP API. Calls return data or throw `ApiRefusal` or `Unreachable`; see requests.ts for what is retried.
 *
 * Read your writes: the highest position answered to a command goes with every later query as X-Min-Position.
 */
export const createApi = (options: RequestOptions = {}) => {
  const { answerTo, viewAs, sendFor } = createRequests(options);
  const positions = trackPositions();
  const keys = createKeys();
  const answers = new Answers();
  /** Pages before the log-in keep no answers. */
  let cache: AnswerCache | undefined;
  /** The live connection over which the page is sent how its answers change: its own, until another tab turns out to hold one. */
  let connectionId = uuid();
  const following = (as: string | undefined, path: string, send: () => Promise<Response>) =>
    as === undefined ? send() : answers.during(as, path, send, positions.highest());

  const request = async <Answer>(path: string, init: () => RequestInit, how?: How): Promise<Answer> => {
    const response = await answerTo(path, init, how);
    return (await response.json()) as Answer;
  };

  return {
    /** GET /api/queries/{name}?... */
    query: async <Name extends keyof Questions>(
      name: Name,
      ask: Questions[Name]['ask'],
      { asOf, as, ...how }: OptionsOf = {},
    ): Promise<Questions[Name]['answer']> => {
      const path = `/api/queries/${name}${search({ ...ask, asOf })}`;
      const toFollow = as === undefined ? {} : { [LINE_HEADER]: connectionId };
      const toWait: Record<string, string> = asOf === undefined ? {} : { Prefer: RESPOND_ASYNC };
      const send = () =>
        answerTo(path, () => ({ headers: { ...positions.headers(), ...toFollow, ...toWait, ...cache?.headers(path) } }), how);
      for (;;) {
        const response = await following(as, path, send);
        const body = response.status === NOT_MODIFIED ? undefined : ((await response.json()) as unknown);
        const data = cache ? cache.answered(path, as, response.headers, body) : body;
        if (data !== undefined) return data as Questions[Name]['answer'];
      }
    },

    /** POST /api/queries/{name}; changes nothing. */
    ask: async <Name extends keyof LongQuestions>(
      name: Name,
      body: LongQuestions[Name]['ask'],
      { asOf, as, ...how }: OptionsOf = {},
    ): Promise<LongQuestions[Name]['answer']> => {
      const path = `/api/queries/${name}${search({ asOf })}`;
      const response = await following(as, path, () => answerTo(path, () => json(body, positions.headers()), how));
      return (await response.json()) as LongQuestions[Name]['answer'];
    },

    /** Every try of one act has the same idempotency key (`createKeys`), which may be part of the input. `key`, `as`: those of an act that was kept. */
    command: async <Name extends keyof Commands>(
      name: Name,
      input: Commands[Name]['input'] | ((key: string) => Commands[Name]['input']),
      { key: kept, as }: { readonly key?: string; readonly as?: string | undefined } = {},
    ) => {
      const inputOf = typeof input === 'function' ? input : () => input;
      const send = (key: string) =>
        request<CommandAnswer<Commands[Name]['result']>>(`/api/commands/${name}`, () => json(inputOf(key), { 'Idempotency-Key': key }), {
          storing: true,
          as,
        });
      const answer = await (kept === undefined ? keys.during(`${name} ${JSON.stringify(inputOf(''))}`, send) : send(kept));
      positions.seen(answer.position);
      return answer;
    },

    /** Anything that is neither a query nor a command: `/api/status`, `/api/errors`. */
    get: <Answer>(path: string, how: Options = {}) => request<Answer>(path, () => ({}), how),

    /** Begins something that is neither: `/api/read-models`. Not retried. */
    post: <Answer>(path: string, body: unknown) => request<Answer>(path, () => json(body), { once: true }),

    /** Calls about logging in, `/api/door/...`. Not retried, except after a new log-in. */
    auth: <Answer>(path: string, body?: unknown) =>
      request<Answer>(`/api/door${path}`, () => (body === undefined ? {} : json(body)), { once: true }),

    /** Calls about log-ins from a form, `/api/identity/...`. Not retried, as with `auth`. */
    identity: <Answer>(path: string, body: unknown) => request<Answer>(`/api/identity${path}`, () => json(body), { once: true }),

    /** /api/rest/...; `match`: the version of the record that the user saw. */
    rest: async (path: string, { method, body, match }: RestWrite | RestRead, { as, ...how }: Options = {}): Promise<RestAnswer> => {
      const initOf = (key?: string) => () => ({
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          ...(match === undefined ? {} : { 'If-Match': `"${match}"` }),
          ...positions.headers(),
        },
        ...(body === undefined ? {} : { body }),
      });
      const response = await (method === 'GET'
        ? following(as, path, () => answerTo(path, initOf(), how))
        : keys.during(`${method} ${path} ${match} ${body}`, (key) => answerTo(path, initOf(key), { ...how, storing: true })));
      positions.seen(response.headers.get('X-Position'));
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text, json: JSON.parse(text) as unknown };
    },

    /** `needsCode`: the password was right, and the account needs a second step. */
    signIn: async (email: string, password: string): Promise<{ readonly needsCode: boolean }> => {
      const answer = await request<unknown>('/api/identity/sign-in/email', () => json({ email, password }), { atLogIn: true });
      return { needsCode: typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer };
    },

    /** The second step of a log-in: a code of the authenticator, or a recovery code. */
    verifyCode: (code: string, of: 'authenticator' | 'recovery') =>
      request<unknown>(`/api/identity/two-factor/${of === 'recovery' ? 'verify-backup-code' : 'verify-totp'}`, () => json({ code }), {
        atLogIn: true,
      }),

    /** Not retried: whoever leaves a computer that others use is told at once. */
    signOut: async () => {
      await request<unknown>('/api/identity/sign-out', () => json({}), { atLogIn: true, once: true });
      positions.forget();
      answers.forget();
      cache?.forget();
    },

    /** Takes in an answer that came with the page, of the query that is known by `as`. */
    brought: (as: string, { name, ask, headers, body }: Brought): void => {
      const path = `/api/queries/${name}${search(ask)}`;
      answers.note(as, path, new Headers(headers));
      cache?.answered(path, as, new Headers(headers), body);
    },

    /** Records a position learnt elsewhere (live): later queries answer nothing older. */
    seen: positions.seen,
    answers,
    /** From now on answers are kept with their versions, so that the live connection can send how they change. */
    cacheAnswers: (make: () => AnswerCache): AnswerCache => (cache ??= make()),
    connectionId: (): string => connectionId,
    /** Another tab holds the connection, or the server has named one for the page. */
    joinConnection: (other: string): void => {
      connectionId = other;
    },
    /** After a restart, or with another log, earlier positions may never be reached: those of `hello` count. */
    reset: (hello: LiveHello): void => {
      positions.forget();
      for (const position of [hello.since, ...Object.values(hello.topics)]) positions.seen(position);
    },
    /** What was seen or written last, for those who wait until it shows. */
    position: positions.highest,
    /** A query has left the page's memory; `others`: those that have stayed. */
    left: (query: Query, others: readonly Query[]): void => {
      const name = answers.left(query, others);
      if (name !== undefined) cache?.left(name);
    },
    viewAs,
    sendFor,
  };
};

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const search = (ask: Readonly<Record<string, string | undefined>>): string => {
  const text = new URLSearchParams(Object.entries(ask).filter((pair): pair is [string, string] => pair[1] !== undefined)).toString();
  return text && `?${text}`;
};

/** The highest position in the log that any answer to a command or live message named, for reading one's own writes. */
const trackPositions = () => {
  let highest: bigint | undefined;

  return {
    /** Later queries answer nothing older than this position. */
    seen: (at: string | null | undefined): void => {
      if (at === null || at === undefined) return;
      const position = BigInt(at);
      if (highest === undefined || position > highest) highest = position;
    },

    /** Headers of a query, for answers that are not older than what was seen. */
    headers: (): Record<string, string> => (highest === undefined ? {} : { 'X-Min-Position': highest.toString() }),

    highest: (): bigint => highest ?? 0n,

    forget: (): void => {
      highest = undefined;
    },
  };
};

/**
 * Idempotency keys. The same input keeps its key for as long as nobody knows whether it was stored: sent twice, or again after the server
 * fell silent, it is stored once. An answer or a refusal is certain, and changed input is another act. Once something else has been stored,
 * an earlier act is done anew rather than repeated: otherwise switching on, off and on again could be answered by the first.
 */
const createKeys = () => {
  const uncertain = new Map<string, { readonly key: string; running: number }>();
  return {
    /** `act`: what is sent and where to, as text. */
    during: async <Answer>(act: string, send: (key: string) => Promise<Answer>): Promise<Answer> => {
      const mine = uncertain.get(act) ?? { key: uuid(), running: 0 };
      uncertain.set(act, mine);
      mine.running++;
      try {
        const answer = await send(mine.key);
        for (const [other, { running }] of uncertain) if (other === act || running === 0) uncertain.delete(other);
        return answer;
      } catch (error) {
        if (isCertain(error)) uncertain.delete(act);
        throw error;
      } finally {
        mine.running--;
      }
    },
  };
};
