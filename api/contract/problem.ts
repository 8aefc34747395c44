import type { ChangedQuestion } from '../assessments/identity-of-questions.contract.ts';

/** The response to every refused request: RFC 9457 problem details, `application/problem+json`. */
export type Problem = {
  readonly type: 'about:blank';
  /** What happened, for the user. */
  readonly title: string;
  readonly status: number;
  /** Stable; for programs. */
  readonly code: ProblemCode;
  /** What to do, if the title does not say it. */
  readonly detail?: string;
  /** For invalid input: where (JSON path with dots) and why, in the specification's words. */
  readonly errors?: readonly InputError[];
  /** For `answers-needed`: what the command must be told when it is sent again. */
  readonly asks?: {
    /** UploadQuestions: `answers` with a question for each of these numbers. */
    readonly questions?: readonly ChangedQuestion[];
    /** RedoCommand: `anyway`. The number of marks that would be above today's maximum. */
    readonly aboveMaximum?: number;
  };
};

export type InputError = { readonly path: string; readonly message: string };

export const problemStatus = {
  'invalid-moment': 400,
  'invalid-input': 422,
  'key-reused': 422,
  'above-maximum': 422,
  'not-authenticated': 401,
  'login-failed': 401,
  /** A code of an authenticator, or a recovery code. */
  'wrong-code': 401,
  forbidden: 403,
  'not-your-set': 403,
  'not-found': 404,
  'unknown-command': 404,
  'unknown-query': 404,
  'not-allowed': 405,
  refused: 409,
  /** Nothing was changed: send it again with answers to `asks`. */
  'answers-needed': 409,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'cross-site': 403,
  'rate-limited': 429,
  /** A mailed link that was used, superseded, has expired or never existed. */
  'link-dead': 410,
  'wrong-password': 422,
  locked: 403,
  'view-only': 403,
  'joined-already': 409,
  'store-unavailable': 503,
  'read-model-behind': 503,
  'as-of-busy': 503,
  /** Too many passwords are waiting to be checked. */
  busy: 503,
  starting: 503,
  'internal-error': 500,
} as const;

export type ProblemCode = keyof typeof problemStatus;
