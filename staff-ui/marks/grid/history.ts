/** What was done in a table, block by block, so that it can be undone and done again. Cells are known by key: rows may come and go. */

/** One cell of a block: what it showed before and after. */
export type Change = { readonly key: string; readonly before: string; readonly after: string };
export type GridEdit = readonly Change[];
export type History = { readonly done: readonly GridEdit[]; readonly undone: readonly GridEdit[] };

export const nothingDone: History = { done: [], undone: [] };

const MOST = 200;

/** Adds a step. What was undone before cannot be done again after it. */
export const did = ({ done, undone }: History, step: GridEdit): History => {
  const real = step.filter(({ before, after }) => before !== after);
  return real.length === 0 ? { done, undone } : { done: [...done, real].slice(-MOST), undone: [] };
};

export type Turned = {
  readonly history: History;
  /** What to type into which cell. */
  readonly texts: Readonly<Record<string, string>>;
  /** How many cells stay because they show what somebody else has typed since. */
  readonly stay: number;
};

/** Takes the last step back, where its cells still show what it left there, and no other value stands beside it. */
export const undo = (history: History, textOf: (key: string) => string, isContested: (key: string) => boolean): Turned | undefined => {
  const step = history.done.at(-1);
  if (!step) return undefined;
  const ours = step.filter(({ key, after }) => textOf(key) === after && !isContested(key));
  return {
    history: { done: history.done.slice(0, -1), undone: [...history.undone, ours] },
    texts: Object.fromEntries(ours.map(({ key, before }) => [key, before])),
    stay: step.length - ours.length,
  };
};

export const redo = (history: History, textOf: (key: string) => string, isContested: (key: string) => boolean): Turned | undefined => {
  const step = history.undone.at(-1);
  if (!step) return undefined;
  const ours = step.filter(({ key, before }) => textOf(key) === before && !isContested(key));
  return {
    history: { done: [...history.done, ours], undone: history.undone.slice(0, -1) },
    texts: Object.fromEntries(ours.map(({ key, after }) => [key, after])),
    stay: step.length - ours.length,
  };
};
