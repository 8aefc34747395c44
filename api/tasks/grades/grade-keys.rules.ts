import type { GradeKeys, GradeShares } from '../../../events/tasks/grade-profile.ts';

type Known = { readonly grades: Readonly<GradeShares>; readonly keys: Readonly<GradeKeys> };
/** A grade as it becomes. `was`: the label that it had; null: it is new. */
type Becoming = { readonly label: string; readonly was: string | null };

/** By what programs know a grade: its first label, or what it was given because another grade had that before. */
export const keyOf = ({ keys }: Pick<Known, 'keys'>, label: string): string => keys.find((one) => one.label === label)?.key ?? label;

/** The keys of all grades after a change: the same as before for those that were there, and one that nobody has for each new one. */
export const keysAfter = (before: Known, grades: readonly Becoming[]): ReadonlyMap<string, string> => {
  const kept = grades.flatMap(({ label, was }) => (was === null ? [] : [[label, keyOf(before, was)] as const]));
  const taken = new Set(kept.map(([, key]) => key));
  const keys = new Map(kept);
  for (const { label, was } of grades) {
    if (was !== null) continue;
    let key = label;
    for (let n = 2; taken.has(key); n++) key = `${label} (${n})`;
    taken.add(key);
    keys.set(label, key);
  }
  return keys;
};

type Row = { readonly was: string | null; readonly label: string; readonly percent: number };

/** All grades once some rows are saved. A new one that is there already, with the same percentage, was sent twice. */
export const gradesAfter = ({ grades }: Pick<Known, 'grades'>, rows: readonly Row[]): Row[] => {
  const changed = new Map(rows.map((row) => [row.was, row]));
  const there = grades.map((grade) => changed.get(grade.label) ?? { ...grade, was: grade.label });
  const isThere = ({ label, percent }: Row) => there.some((grade) => grade.label === label && grade.percent === percent);
  return [...there, ...rows.filter((row) => row.was === null && !isThere(row))];
};

/** As they are stored: those that are not the label. Left out: none. */
export const storedKeys = (keys: ReadonlyMap<string, string>): { readonly keys?: GradeKeys } => {
  const other = [...keys].flatMap(([label, key]) => (key === label ? [] : [{ label, key }]));
  return other.length === 0 ? {} : { keys: other };
};

/** Of a list that was edited as a whole: a label in the place of one that is gone is that grade under another name. */
export const becoming = (before: Known, grades: Readonly<GradeShares>): Becoming[] => {
  const [old, now] = [before.grades, grades].map((all) => new Set(all.map(({ label }) => label))) as [Set<string>, Set<string>];
  return grades.map(({ label }, place) => {
    const there = before.grades[place]?.label;
    if (old.has(label)) return { label, was: label };
    return { label, was: there !== undefined && before.grades.length === grades.length && !now.has(there) ? there : null };
  });
};
