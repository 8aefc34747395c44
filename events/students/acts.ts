/**
 * How acts changed a student's details, StudentID or place in a subject. An act is a command that changed students; it is recorded where it
 * changed something, and only flagged when it is undone. So acts can be undone and redone in any order, and what counts is always what the
 * remaining ones alone would have left.
 */
export type History<Value extends object> = {
  /** Before the first act. */
  readonly base: Value;
  /** In log order. */
  readonly changes: { readonly act: string; to: Partial<Value>; undone: boolean }[];
};

export type Histories = {
  readonly details: Map<string, History<Details>>;
  readonly numbers: Map<string, History<StudentNumber>>;
  /** By student and subject (`placeKey`). */
  readonly places: Map<string, History<{ at: string | undefined }>>;
};
type Details = { readonly name: string; readonly dateOfBirth: string | null };
type StudentNumber = { readonly admissionNo: string; readonly tag: string };

/** An act, and the histories that it is in; undoing an act is an act, which flags the changes of another one. */
export type Act = {
  /** The act whose changes it made or flagged. */
  readonly of: string;
  /** Whether those changes are undone by it. */
  readonly undoes: boolean;
  readonly details: Set<string>;
  readonly numbers: Set<string>;
  readonly places: Map<string, Place>;
};
type Place = { readonly studentId: string; readonly subjectId: string };

export const placeKey = ({ studentId, subjectId }: Place): string => `${studentId} ${subjectId}`;

export const newAct = (of: string, undoes: boolean): Act => ({
  of,
  undoes,
  details: new Set(),
  numbers: new Set(),
  places: new Map(),
});

/** Records that an act changed this. A second change by the same act adds to the first. */
export const record = <Value extends object>(
  histories: Map<string, History<Value>>,
  key: string,
  act: string,
  { from, to }: { readonly from: Value; readonly to: Partial<Value> },
): void => {
  const history = histories.get(key) ?? { base: from, changes: [] };
  const last = history.changes.at(-1);
  if (last?.act === act) last.to = { ...last.to, ...to };
  else history.changes.push({ act, to, undone: false });
  histories.set(key, history);
};

/** The value that counts, or would count if the changes of an act were undone, or were not. */
export const reading = <Value extends object>({ base, changes }: History<Value>, act?: string, undone?: boolean): Value =>
  changes.reduce((value, change) => ((change.act === act ? undone : change.undone) ? value : { ...value, ...change.to }), base);

/** Whether an act changed something here that is not flagged as asked: undone, or not. */
export const isFlaggedOtherwise = ({ changes }: Pick<History<object>, 'changes'>, act: string, undone: boolean): boolean =>
  changes.some((change) => change.act === act && change.undone !== undone);

/** Whether a later act that stands has changed the same. */
export const isCovered = ({ changes }: Pick<History<object>, 'changes'>, act: string): boolean => {
  const first = changes.findIndex((change) => change.act === act);
  const to = Object.keys(changes[first]?.to ?? {});
  return changes.some((change, index) => index > first && !change.undone && to.some((field) => field in change.to));
};

export const flag = (history: Pick<History<object>, 'changes'> | undefined, act: string, undone: boolean): void => {
  for (const change of history?.changes ?? []) if (change.act === act) change.undone = undone;
};
