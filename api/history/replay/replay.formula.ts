/** The markbook after any step of a replay, and what moved between two of them. */
import { isContested } from '../../contract/flags.ts';
import { naturalOrder } from '../../contract/order.ts';
import type { Markbook, MarkbookTotal } from '../../marks/marks.contract.ts';
import { figuresOf } from '../../marks/spread.formula.ts';
import type { Replay, ReplayChanges, ReplayRanking, ReplayStep } from './replay.contract.ts';

export type ReplayTest = { readonly name: string; readonly max: number | null };
export type ReplayResult = { readonly ranking: number | null; readonly score: number | null; readonly grade: string | null };

/** What a markbook shows. Students, assessments and values are places in the lists of the replay. */
export type ReplayState = {
  readonly classes: Map<string, string>;
  readonly tests: Map<number, ReplayTest>;
  readonly students: Map<number, string>;
  /** By `cellKey`. */
  readonly cells: Map<number, number>;
  readonly results: Map<number, ReplayResult>;
  /** undefined: nobody is ranked, or nobody knows by what */
  ranking: ReplayRanking | undefined;
};

export const emptyState = (): ReplayState => ({
  classes: new Map(),
  tests: new Map(),
  students: new Map(),
  cells: new Map(),
  results: new Map(),
  ranking: undefined,
});

/** There are fewer assessments than that in a subject. */
const MOST_TESTS = 100_000;
export const cellKey = (student: number, test: number): number => student * MOST_TESTS + test;
export const cellOfKey = (key: number): readonly [student: number, test: number] => [Math.floor(key / MOST_TESTS), key % MOST_TESTS];

/** Changes the state. Who leaves takes their totals along: they come back with whoever does. */
export const take = (state: ReplayState, changes: ReplayChanges): void => {
  const { classes, tests, students, cells, results } = state;
  for (const [setId, name] of changes.classes ?? []) set(classes, setId, name);
  for (const [test, shown] of changes.tests ?? []) set(tests, test, shown);
  const left = new Set<number>();
  for (const [student, setId] of changes.students ?? []) {
    set(students, student, setId);
    if (setId === null) left.add(student);
  }
  if (left.size > 0) for (const key of cells.keys()) if (left.has(cellOfKey(key)[0])) cells.delete(key);
  for (const [student, test, value] of changes.cells ?? []) set(cells, cellKey(student, test), value);
  for (const [student, result] of changes.results ?? []) set(results, student, result);
  if (changes.ranking !== undefined) state.ranking = changes.ranking ?? undefined;
};

const set = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value | null): void => {
  if (value === null) map.delete(key);
  else map.set(key, value);
};

/** The state after so many steps. */
export const stateAfter = ({ start, steps }: Pick<Replay, 'start' | 'steps'>, count: number): ReplayState => {
  const state = emptyState();
  take(state, start);
  for (let index = 0; index < count; index++) take(state, steps[index] ?? NOTHING);
  return state;
};
const NOTHING: ReplayChanges = {};

/** The changes that make this state of nothing. */
const changesTo = ({ classes, tests, students, cells, results, ranking }: ReplayState): ReplayChanges => ({
  classes: [...classes],
  tests: [...tests],
  students: [...students],
  cells: [...cells].map(([key, value]) => [...cellOfKey(key), value] as const),
  results: [...results],
  ...(ranking && { ranking }),
});

/** The last steps, with so many cells at most; those before are summed up. */
export const newest = (steps: readonly ReplayStep[], mostCells: number): Pick<Replay, 'since' | 'start' | 'steps'> => {
  let from = steps.length;
  for (let cells = 0; from > 0; from--) if ((cells += steps[from - 1]?.cells?.length ?? 0) > mostCells) break;
  const kept = steps.slice(from);
  return { since: from > 0 ? (kept[0]?.at ?? null) : null, start: changesTo(stateAfter({ start: {}, steps }, from)), steps: kept };
};

/** How many steps lie at or before this moment: as of an earlier moment, all up to the last of them. */
export const stepsUntil = (steps: readonly Pick<ReplayStep, 'at'>[], moment: string): number => {
  const time = Date.parse(moment);
  return steps.findLastIndex(({ at }) => Date.parse(at) <= time) + 1;
};

const EMPTY: MarkbookTotal = { total: null, source: null, attendance: 'sat' };

export const valueAt = ({ values }: Replay, { cells }: ReplayState, student: number, test: number): MarkbookTotal =>
  values[cells.get(cellKey(student, test)) ?? -1] ?? EMPTY;

/** The markbook as it stood, without priors and residuals; nobody writes in it. */
export const markbookOf = (replay: Replay, state: ReplayState): Markbook => {
  const columns = [...state.tests].toSorted(
    ([one, { name }], [other, { name: otherName }]) =>
      naturalOrder(name, otherName) || compare(replay.tests[one] ?? '', replay.tests[other] ?? ''),
  );
  const students = [...state.students].flatMap(([place, setId]) => {
    const student = replay.students[place];
    const result = state.results.get(place);
    if (!student) return [];
    return {
      ...student,
      setId,
      ...(typeof result?.ranking === 'number' && { ranking: result.ranking }),
      ...(typeof result?.score === 'number' && { score: result.score }),
      ...(typeof result?.grade === 'string' && { grade: result.grade }),
      totals: columns.map(([test]) => valueAt(replay, state, place, test)),
    };
  });
  const scores = students.flatMap(({ score }) => score ?? []);
  return {
    yearGroupId: replay.yearGroupId,
    year: replay.year,
    subject: replay.subject,
    sets: [...state.classes]
      .map(([setId, name]) => ({ setId, name, mayWrite: false }))
      .toSorted((one, other) => naturalOrder(one.name, other.name)),
    tests: columns.map(([test, { name, max }], column) => {
      const cells = students.flatMap(({ totals }) => totals[column] ?? []);
      const totals = cells.flatMap(({ total }) => total ?? []);
      const contested = cells.filter(({ flags }) => isContested(flags)).length;
      const aboveMaximum = cells.filter(({ total, flags }) => total !== null && flags?.includes('above-maximum')).length;
      const open = contested + aboveMaximum > 0 ? { open: { contested, aboveMaximum } } : {};
      return sameAsBefore(replay, { testId: replay.tests[test] ?? '', name, max, ...figuresOf(totals), count: totals.length, ...open });
    }),
    ...(scores.length > 0 && { scores: figuresOf(scores) }),
    students,
  };
};

/** One object for what is equal, so that a column in which nothing changed is not drawn again. */
const sameAsBefore = (replay: Replay, test: Markbook['tests'][number]): Markbook['tests'][number] => {
  const known = columnsOf.get(replay) ?? new Map<string, typeof test>();
  columnsOf.set(replay, known);
  const key = JSON.stringify(test);
  const same = known.get(key) ?? test;
  known.set(key, same);
  return same;
};
const columnsOf = new WeakMap<Replay, Map<string, Markbook['tests'][number]>>();

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** What moved between two states: a student's total, or (test undefined) only their grade. `steps`: the places of those that moved it. */
export type Move = {
  readonly student: number;
  readonly test: number | undefined;
  readonly before: MarkbookTotal;
  readonly after: MarkbookTotal;
  readonly gradeBefore: string | null;
  readonly gradeAfter: string | null;
  readonly steps: readonly number[];
};

/** Of whoever was on roll at one of them, after so many steps each: in a class, if one is given. */
export const movesBetween = (replay: Replay, from: number, to: number, setId?: string): readonly Move[] => {
  const [before, after] = [stateAfter(replay, from), stateAfter(replay, to)];
  const isIn = (student: number): boolean => {
    const places = [before.students.get(student), after.students.get(student)];
    return setId === undefined ? places.some((place) => place !== undefined) : places.includes(setId);
  };
  const steps = new Map<number, number[]>();
  const note = (key: number, step: number): void => void steps.set(key, [...(steps.get(key) ?? []), step]);
  for (let step = from; step < to; step++) {
    for (const [student, test] of replay.steps[step]?.cells ?? []) note(cellKey(student, test), step);
    for (const [student] of replay.steps[step]?.results ?? []) note(-1 - student, step);
  }
  const moves: Move[] = [];
  const graded = new Set<number>();
  for (const key of new Set([...before.cells.keys(), ...after.cells.keys()])) {
    const [student, test] = cellOfKey(key);
    if (before.cells.get(key) === after.cells.get(key) || !isIn(student)) continue;
    graded.add(student);
    moves.push({
      student,
      test,
      before: valueAt(replay, before, student, test),
      after: valueAt(replay, after, student, test),
      ...gradesOf(before, after, student),
      steps: steps.get(key) ?? [],
    });
  }
  for (const student of new Set([...before.results.keys(), ...after.results.keys()])) {
    const grades = gradesOf(before, after, student);
    if (graded.has(student) || grades.gradeBefore === grades.gradeAfter || !isIn(student)) continue;
    moves.push({ student, test: undefined, before: EMPTY, after: EMPTY, ...grades, steps: steps.get(-1 - student) ?? [] });
  }
  return moves;
};

const gradesOf = (before: ReplayState, after: ReplayState, student: number): Pick<Move, 'gradeBefore' | 'gradeAfter'> => ({
  gradeBefore: before.results.get(student)?.grade ?? null,
  gradeAfter: after.results.get(student)?.grade ?? null,
});

/** The next step after (or before) so many steps that changed something of this student; undefined: none did. */
export const stepOfStudent = ({ steps }: Pick<Replay, 'steps'>, student: number, after: number, by: 1 | -1): number | undefined => {
  const concerns = ({ students, cells, results }: ReplayStep): boolean =>
    [students, cells, results].some((list) => list?.some(([place]) => place === student));
  for (let count = after + by; count >= 1 && count <= steps.length; count += by) {
    const step = steps[count - 1];
    if (step && concerns(step)) return count;
  }
  return undefined;
};
