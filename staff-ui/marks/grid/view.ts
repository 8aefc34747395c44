import type { Person } from '#api/students/identity.formula';
import type { Status } from '../../../ui/drafts/drafts.ts';

/** A student of the class. */
export type Pupil = Person & { readonly studentId: string };

export type Column = {
  readonly id: string;
  /** 'Q3' */
  readonly name: string;
  readonly topic?: string;
  readonly max: number;
};

/** What a cell shows. */
export type CellView = {
  readonly text: string;
  readonly status: Status;
  /** Why it is no mark, or was refused. */
  readonly wrong?: string | undefined;
  /** For the tip and for the screen reader, in words: who else has entered what. */
  readonly note?: string | undefined;
  readonly isContested?: boolean;
  /** A colleague has just entered it. */
  readonly isNew?: boolean;
  /** The student has entered it, and staff nothing. */
  readonly isStudents?: boolean;
};

/** A row besides its cells. */
export type RowHead = {
  readonly id: string;
  readonly name: string;
  readonly title?: string | undefined;
  /** 'A' or 'E': absent, exempt. '?': people have entered different ones. */
  readonly sign?: { readonly text: string; readonly words: string; readonly isContested?: boolean } | undefined;
  readonly tail: readonly {
    readonly text: string;
    readonly tone?: 'bad' | 'quiet' | 'struck' | undefined;
    readonly words?: string | undefined;
  }[];
};
