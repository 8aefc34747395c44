/**
 * One act of sending, whatever is sent, as a component sees it. `useSend.ts` makes it from TanStack Query's mutation; pages before the log-in, whose
 * first page must stay small, make it from a light core with the same shape.
 */
export type Sending<Input, Answer> = {
  /** Whether it succeeded; never throws. */
  readonly send: (input: Input) => Promise<boolean>;
  /** The same for a caller that goes on with the answer, or with what was thrown. */
  readonly request: (input: Input) => Promise<Answer>;
  /** The request is on its way, or what it changed is being fetched. */
  readonly pending: boolean;
  /** What was sent last; undefined: nothing yet. */
  readonly input: Input | undefined;
  /** What the last one was answered; undefined: not yet, or it failed. */
  readonly answer: Answer | undefined;
  /** Why the last one failed; undefined: it did not. */
  readonly error: unknown;
  /** Forgets the error. */
  readonly forget: () => void;
};
