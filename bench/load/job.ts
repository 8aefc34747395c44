/** The job of the load generator. */
export type Job = {
  /** of the server, without a path */
  readonly url: string;
  readonly typists: readonly Typist[];
  readonly ms: number;
  /** average pause between a response and the next save of the same person */
  readonly thinkMs: number;
  /** Whoever is told to come back later does, with the same save: as the apps do. */
  readonly patient?: boolean;
};

/** A person with a grid, who saves one cell after the other, and begins again at the end of the grid. */
export type Typist = {
  readonly cookie: string;
  readonly entryId: string;
  readonly subjectId: string;
  readonly testId: string;
  readonly studentIds: readonly string[];
  readonly questionIds: readonly string[];
};

export type Outcome = {
  /** stored saves per second */
  readonly perSecond: number;
  readonly stored: number;
  /** saves with another response */
  readonly refused: number;
  /** how often somebody was told to come back later, and did */
  readonly told: number;
  /** of each save, in milliseconds */
  readonly latencies: readonly number[];
};
