import type { Step } from './history.ts';
import type { Place, Size } from './place.ts';
import type { Report } from './report.ts';
import type { Column, Pupil } from './view.ts';

/** What stands in a table of marks. Cells are known by key, because rows may come and go. */
export type Cells = {
  readonly size: Size;
  readonly mayWrite: boolean;
  readonly keyAt: (place: Place) => string;
  /** Of a cell of attendance: the first of its row. undefined: it is not in the table any more. */
  readonly placeOf: (key: string) => Place | undefined;
  readonly attendanceKeyAt: (row: number) => string | undefined;
  readonly textOf: (key: string) => string;
  /** Whether several values stand there, and none is chosen here. */
  readonly isContested: (key: string) => boolean;
  /** Whether it shows what the student has entered, and nobody else. */
  readonly isStudents: (key: string) => boolean;
  /** Why a text is no mark of a cell; undefined: it is one, or nothing. */
  readonly wrongAt: (place: Place, text: string) => string | undefined;
  readonly maxOf: (column: number) => number;
  readonly students: readonly Pupil[];
  readonly columns: readonly Column[];
};

/** `begun`: the first key in a cell, whose author has seen what it shows. `one`: a text at once, as by a tap. `block`: many cells at once. */
export type How = 'begun' | 'typed' | 'one' | 'block';

/** What the keys act on. */
export type Table = Cells & {
  /** Resolves to whether marks among them were stored, of what is stored by itself, once nothing of them waits. */
  readonly type: (texts: Readonly<Record<string, string>>, how: How) => Promise<boolean> | undefined;
  /** What this page says of cells by now. */
  readonly ownOf: (keys: readonly string[]) => Step;
  /** Makes what this page says of cells what it was. `again`: what it was until now; `told`: what has become of it. */
  readonly takeBack: (step: Step) => { readonly again: Step; readonly report: Promise<Report | undefined> };
  /** Says again what was taken back. Answers what takes it back. */
  readonly sayAgain: (step: Step) => Step;
  readonly leave: (key: string) => void;
  readonly onEnd?: () => void;
  /** The active cell is to be seen, and to have the focus. */
  readonly reveal?: () => void;
};
