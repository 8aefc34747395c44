import type { InputError, Problem, ProblemCode } from '#api/contract/problem';

/** A refused request with the server's problem document (RFC 9457). `message` is a sentence for the user. */
export class ApiRefusal extends Error {
  readonly problem: Problem;
  /** As whom it was asked (X-View-As): it says nothing about anybody who is viewed later. */
  readonly viewAs: string | undefined;

  constructor(problem: Problem, viewAs?: string) {
    super(problem.title);
    this.name = 'ApiRefusal';
    this.problem = problem;
    this.viewAs = viewAs;
  }

  get code(): ProblemCode {
    return this.problem.code;
  }

  get errors(): readonly InputError[] {
    return this.problem.errors ?? [];
  }
}

/** No answer: no connection, or the server is down. The request may have arrived, so a retry must use the same key. */
export class Unreachable extends Error {
  constructor() {
    super('The server cannot be reached. Check your connection and try again.');
    this.name = 'Unreachable';
  }
}

export const isRefused = (error: unknown, ...codes: readonly ProblemCode[]): error is ApiRefusal =>
  error instanceof ApiRefusal && (codes.length === 0 || codes.includes(error.code));

/** Whether it was refused to somebody as whom the page was viewed before, and is not any more. */
export const isRefusedAsAnother = (error: unknown, viewAs: string | undefined): boolean =>
  isRefused(error, 'forbidden') && error.viewAs !== viewAs;

/** Whether the server has decided: then nothing was stored. */
export const isCertain = (error: unknown): error is ApiRefusal => isRefused(error) && error.problem.status < 500;

/** The server's messages about single fields. */
export const messagesIn = (error: unknown): Readonly<Record<string, string>> =>
  isRefused(error) ? Object.fromEntries(error.errors.map(({ path, message }) => [path, message])) : {};

/** What was foreseen, such as that there is nothing to download: `message` is a sentence for the user, and it is no fault to log. */
export class Foreseen extends Error {}

/** An unexpected failure goes into the banner, not beside a field. */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof Unreachable || error instanceof Foreseen) && (!(error instanceof ApiRefusal) || error.code === 'internal-error');

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong.');

/**
 * The problem of a non-2xx answer; made up where something else answered, such as a proxy.
 *
 * @throws what reading throws: the request was cancelled meanwhile, or the connection broke
 */
export const problemOf = async (response: Response): Promise<Problem> => {
  if (response.headers.get('content-type')?.includes('application/problem+json')) {
    const body = jsonIn(await response.text());
    if (isProblem(body)) return { ...body, ...errorsOf(body) };
  }
  return {
    type: 'about:blank',
    title: titles[response.status] ?? `The server answered with status ${response.status}.`,
    status: response.status,
    code: codes[response.status] ?? 'internal-error',
  };
};

/** /api/rest answers errors as an object by field. */
const errorsOf = ({ errors }: { readonly errors?: unknown }): Pick<Problem, 'errors'> =>
  typeof errors !== 'object' || errors === null || Array.isArray(errors)
    ? {}
    : { errors: Object.entries(errors).map(([path, message]) => ({ path, message: String(message) })) };

const titles: Readonly<Record<number, string>> = {
  401: 'Login failed',
  413: 'This is larger than the web server in front of Marktrail lets through. Nothing was changed. Ask whoever runs it to allow more, or send it in parts.',
  429: 'Too many attempts. Wait a minute and try again.',
};
const codes: Readonly<Record<number, ProblemCode>> = {
  401: 'not-authenticated',
  413: 'too-large',
  429: 'rate-limited',
  503: 'store-unavailable',
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'title' in body && 'status' in body && 'code' in body;
