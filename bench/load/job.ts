/** What the load generator is asked to do, and what it found. */
export type Job = {
  /** of the server, without a path */
  readonly url: string;
  readonly typists: readonly Typist[];
  readonly ms: number;
  /** between an answer and the next save of the same person, on the average; 0: none */
  readonly thinkMs: number;
};

/** One person with a grid of his own: he saves one cell after the other, and begins again at the end of the grid. */
export type Typist = {
  readonly cookie: string;
  readonly entryId: string;
  readonly subjectId: string;
  readonly testId: string;
  readonly studentIds: readonly string[];
  readonly questionIds: readonly string[];
};

export type Outcome = {
  /** saves per second that were stored */
  readonly perSecond: number;
  readonly stored: number;
  /** saves with another answer */
  readonly refused: number;
  /** of each save, in milliseconds */
  readonly latencies: readonly number[];
};
