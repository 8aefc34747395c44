import type { TextDraft } from '../../../ui/marks/mark-drafts.ts';
import type { LoggedSave } from '../../../ui/marks/page-saves.ts';

/** What this page says of a cell: what is typed and not stored, and what it stored there last. */
export type Own = {
  readonly draft?: TextDraft | undefined;
  /** A text that is shown here alone. */
  readonly here?: string | undefined;
  /** The batch in which the cell is on its way. */
  readonly batch?: string | undefined;
  readonly statement?: LoggedSave | undefined;
};

/** One cell of what was done at once, by key, because rows may come and go; `own`: before it, or (of what was taken back) after it. */
export type Change = { readonly key: string; readonly ownState: Own };
/** What is taken back, or done again, as one: a cell that was typed into, a block. */
export type Step = readonly Change[];
export type History = { readonly done: readonly Step[]; readonly undone: readonly Step[] };

export const nothingDone: History = { done: [], undone: [] };

const MOST = 200;

/** Adds a step. What was taken back before cannot be done again after it. */
export const did = ({ done, undone }: History, step: Step): History =>
  step.length === 0 ? { done, undone } : { done: [...done, step].slice(-MOST), undone: [] };

/** `turn`: takes the last step back, or does the last one again, and answers what turns it round. */
export const undo = ({ done, undone }: History, turn: (step: Step) => Step): History => {
  const step = done.at(-1);
  return step ? { done: done.slice(0, -1), undone: [...undone, turn(step)] } : { done, undone };
};

export const redo = ({ done, undone }: History, turn: (step: Step) => Step): History => {
  const step = undone.at(-1);
  return step ? { done: [...done, turn(step)], undone: undone.slice(0, -1) } : { done, undone };
};
