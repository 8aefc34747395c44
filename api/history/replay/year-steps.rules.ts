/** What the markbook of a year group showed, event by event: its classes, columns, students, totals, and the results of the ranking. */
import { isDeepStrictEqual } from 'node:util';
import { idIn } from '../../../events/aggregate.ts';
import { maxMark } from '../../../events/assessments/assessment.ts';
import { typesOf } from '../../../events/codec/event.ts';
import type { RecordedEvent } from '../../../events/registry.ts';
import { placesIn, rosterEvents } from '../../../events/students/roster.ts';
import type { GradeShares } from '../../../events/tasks/grade-profile.ts';
import type { Ranking } from '../../../events/tasks/ranking.ts';
import type { FeedbackTask } from '../../../events/tasks/feedback-task.ts';
import { feedbackTask, feedbackTaskEvents, resultOf } from '../../../events/tasks/feedback-task.ts';
import type { MarkbookTotal } from '../../marks/marks.contract.ts';
import type { ReplayChanges, ReplayRanking } from './replay.contract.ts';
import type { ReplayResult, ReplayTest } from './replay.formula.ts';

/** Events about who and what is in the markbook, for `YearSteps`. Marks come as totals. */
export const yearTypes: readonly string[] = [
  ...typesOf(rosterEvents),
  ...typesOf(feedbackTaskEvents),
  'SetAdded',
  'SetRenamed',
  'SetMovedToYearGroup',
  'SetAssessmentsChosen',
  'SetDeleted',
  'SetRestored',
  'AssessmentCreated',
  'AssessmentRenamed',
  'AssessmentDeleted',
  'AssessmentRestored',
  'QuestionsUploaded',
  'QuestionsEdited',
];

/** A total after an event; null: the student's own marks, which only make a column. */
export type TotalStep = { readonly studentId: string; readonly testId: string; readonly total: MarkbookTotal | null };

type SetOfSubject = { readonly yearGroupId: string; readonly name: string; readonly testIds: readonly string[]; readonly deleted: boolean };
type TestOfSubject = ReplayTest & { readonly deleted: boolean };
/** `basis`: what the ranking rests on; undefined: nobody knows. */
type Task = { readonly id: string; readonly task: FeedbackTask; readonly rankedAt: bigint; readonly basis: Basis | undefined };
type Basis = { readonly ranked: Ranking; readonly shares: GradeShares };

/** The state of a subject at one event after the other, and what of it the year group's markbook shows. */
export class YearSteps {
  readonly #yearGroupId: string;
  readonly #sets = new Map<string, SetOfSubject>();
  readonly #tests = new Map<string, TestOfSubject>();
  readonly #placed = new Map<string, string | null>();
  readonly #tasks = new Map<string, Task>();
  /** By assessment: whoever has a row in it, and what it says. */
  readonly #totals = new Map<string, Map<string, MarkbookTotal | null>>();
  readonly #shown = {
    classes: new Map<string, string>(),
    tests: new Map<string, ReplayTest>(),
    students: new Map<string, string>(),
    results: new Map<string, ReplayResult>(),
  };
  #basis: Basis | undefined;
  readonly #students = new Places();
  readonly #testPlaces = new Places();
  readonly #values = new Places();
  readonly #valueOf: MarkbookTotal[] = [];

  constructor(yearGroupId: string) {
    this.#yearGroupId = yearGroupId;
  }

  /** The lists in which the changes name places. */
  get lists(): { readonly students: readonly string[]; readonly tests: readonly string[]; readonly values: readonly MarkbookTotal[] } {
    return { students: this.#students.all, tests: this.#testPlaces.all, values: this.#valueOf };
  }

  /** Takes an event and the totals after it. Returns what changed in the markbook; undefined: nothing. */
  next(event: RecordedEvent | undefined, totals: readonly TotalStep[]): ReplayChanges | undefined {
    if (event) this.#change(event);
    const cells = new Map<string, readonly [number, number, number | null]>();
    let isColumn = event !== undefined;
    for (const { studentId, testId, total } of totals) {
      const rows = this.#totals.get(testId) ?? new Map<string, MarkbookTotal | null>();
      this.#totals.set(testId, rows);
      const before = rows.get(studentId);
      isColumn ||= before === undefined && !this.#shown.tests.has(testId);
      rows.set(studentId, total ?? before ?? null);
      if (total && this.#shown.students.has(studentId) && !same(total, before ?? null))
        cells.set(`${studentId} ${testId}`, this.#cell(studentId, testId, total));
    }
    if (!isColumn) return cells.size > 0 ? { cells: [...cells.values()] } : undefined;
    const { classes, tests, students, results } = this.#shown;
    const joined = changedIn(students, this.#onRoll());
    for (const [studentId, setId] of joined) {
      if (setId === null || students.has(studentId)) continue;
      for (const [testId, rows] of this.#totals) {
        const total = rows.get(studentId);
        if (total && !same(total, null)) cells.set(`${studentId} ${testId}`, this.#cell(studentId, testId, total));
      }
    }
    const changedClasses = update(classes, changedIn(classes, this.#classes()));
    update(students, joined);
    // Of those who are on roll now.
    const task = this.#shownTask();
    const ranking = this.#ranking(task);
    const lists = {
      classes: changedClasses,
      students: joined.map(([id, setId]) => [this.#students.of(id), setId] as const),
      tests: update(tests, changedIn(tests, this.#columns())).map(([id, test]) => [this.#testPlaces.of(id), test] as const),
      results: update(results, changedIn(results, this.#results(task?.task))).map(
        ([id, result]) => [this.#students.of(id), result] as const,
      ),
      cells: [...cells.values()].filter(([student]) => this.#isThere(student)),
    };
    const any = Object.entries(lists).filter(([, list]) => list.length > 0);
    return any.length === 0 && ranking === undefined
      ? undefined
      : { ...Object.fromEntries(any), ...(ranking !== undefined && { ranking }) };
  }

  #isThere(student: number): boolean {
    return this.#shown.students.has(this.#students.all[student] ?? '');
  }

  #cell(studentId: string, testId: string, total: MarkbookTotal): readonly [number, number, number | null] {
    const place = this.#values.of(JSON.stringify(total));
    this.#valueOf[place] = total;
    return [this.#students.of(studentId), this.#testPlaces.of(testId), same(total, null) ? null : place];
  }

  #change(event: RecordedEvent): void {
    switch (event.type) {
      case 'SetAdded':
        this.#sets.set(event.data.setId, { ...event.data, testIds: [], deleted: false });
        break;
      case 'SetRenamed':
      case 'SetMovedToYearGroup':
      case 'SetAssessmentsChosen':
        patch(this.#sets, event.data.setId, event.data);
        break;
      case 'SetDeleted':
      case 'SetRestored':
        patch(this.#sets, event.data.setId, { deleted: event.type === 'SetDeleted' });
        break;
      case 'AssessmentCreated':
        this.#tests.set(idIn(event.stream), { name: event.data.name, max: null, deleted: false });
        break;
      case 'AssessmentRenamed':
        patch(this.#tests, idIn(event.stream), event.data);
        break;
      case 'AssessmentDeleted':
      case 'AssessmentRestored':
        patch(this.#tests, idIn(event.stream), { deleted: event.type === 'AssessmentDeleted' });
        break;
      case 'QuestionsUploaded':
      case 'QuestionsEdited':
        patch(this.#tests, idIn(event.stream), { max: event.data.questions.length > 0 ? maxMark(event.data.questions) : null });
        break;
      case 'StudentAdded':
      case 'StudentsImported':
      case 'StudentEnrolled':
      case 'StudentMoved':
      case 'StudentTakenOffRoll':
      case 'StudentRemoved':
      case 'RosterCommandUndone':
        for (const { studentId, setId } of placesIn(event)) this.#placed.set(studentId, setId);
        break;
      default:
        if (isOfTask(event)) this.#rank(event);
    }
  }

  #rank(event: OfTask): void {
    const id = idIn(event.stream);
    const before = this.#tasks.get(id) ?? { id, task: feedbackTask.initial(), rankedAt: 0n, basis: undefined };
    const isRanking = event.type === 'TaskRanked' || event.type === 'RankingAdopted';
    this.#tasks.set(id, {
      id,
      task: feedbackTask.evolve(before.task, event),
      rankedAt: isRanking ? event.position : before.rankedAt,
      basis: basisAfter(before.basis, event),
    });
  }

  #classes(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#sets].flatMap(([setId, set]) =>
        set.yearGroupId === this.#yearGroupId && !set.deleted ? [[setId, set.name] as const] : [],
      ),
    );
  }

  #onRoll(): ReadonlyMap<string, string> {
    const classes = this.#classes();
    return new Map([...this.#placed].flatMap(([id, setId]) => (setId !== null && classes.has(setId) ? [[id, setId] as const] : [])));
  }

  /** After `#shown.students` has been brought up to date. */
  #columns(): ReadonlyMap<string, ReplayTest> {
    const chosen = new Set([...this.#shown.classes.keys()].flatMap((setId) => this.#sets.get(setId)?.testIds ?? []));
    const isShown = (testId: string): boolean => {
      if (chosen.has(testId)) return true;
      for (const studentId of this.#totals.get(testId)?.keys() ?? []) if (this.#shown.students.has(studentId)) return true;
      return false;
    };
    return new Map(
      [...this.#tests].flatMap(([testId, { name, max, deleted }]) =>
        !deleted && isShown(testId) ? [[testId, { name, max }] as const] : [],
      ),
    );
  }

  /** The task that was ranked last, among those that hold somebody who is on roll. */
  #shownTask(): Task | undefined {
    return [...this.#tasks.values()]
      .filter(
        ({ task }) =>
          task.yearGroupId === this.#yearGroupId &&
          !task.deleted &&
          task.ranking !== undefined &&
          [...task.students.keys()].some((studentId) => this.#shown.students.has(studentId)),
      )
      .reduce<Task | undefined>((last, one) => (last && last.rankedAt > one.rankedAt ? last : one), undefined);
  }

  #results(task: FeedbackTask | undefined): ReadonlyMap<string, ReplayResult> {
    return new Map(
      [...(task?.students ?? [])].flatMap(([studentId, student]) =>
        student.exempt || !this.#shown.students.has(studentId) ? [] : [[studentId, resultOf(student)] as const],
      ),
    );
  }

  /** undefined: it is as before. */
  #ranking(task: Task | undefined): ReplayRanking | null | undefined {
    if (this.#basis === task?.basis) return undefined;
    this.#basis = task?.basis;
    if (!task?.basis) return null;
    const { ranked, shares } = task.basis;
    return {
      taskId: task.id,
      tests: ranked.norms.tests.map(({ testId, max }) => [this.#testPlaces.of(testId), max] as const),
      priors: ranked.rows.map(({ studentId, prior }) => [this.#students.of(studentId), prior] as const),
      shares,
    };
  }
}

const basisAfter = (before: Basis | undefined, { type, data }: OfTask): Basis | undefined => {
  switch (type) {
    case 'TaskRanked':
      return { ranked: data, shares: [] };
    case 'RankingAdopted':
    case 'RankingRemoved':
      return undefined;
    case 'GradesAssigned':
      return before && { ...before, shares: data.grades };
    case 'GradesReopened':
      return before && { ...before, shares: [] };
    default:
      return before;
  }
};

type OfTask = Parameters<typeof feedbackTask.evolve>[1];
const isOfTask = (event: RecordedEvent): event is Extract<RecordedEvent, OfTask> => Object.hasOwn(feedbackTaskEvents, event.type);

/** Ids in the order in which they were first named. */
class Places {
  readonly all: string[] = [];
  readonly #places = new Map<string, number>();

  of(id: string): number {
    const place = this.#places.get(id) ?? this.all.push(id) - 1;
    this.#places.set(id, place);
    return place;
  }
}

const patch = <Value extends object>(map: Map<string, Value>, key: string, change: Partial<Value>): void => {
  const before = map.get(key);
  if (before) map.set(key, { ...before, ...change });
};

/** null: gone. */
const changedIn = <Value>(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>): (readonly [string, Value | null])[] => [
  ...[...before.keys()].flatMap((key) => (after.has(key) ? [] : [[key, null] as const])),
  ...[...after].filter(([key, value]) => !isDeepStrictEqual(before.get(key), value)),
];

const update = <Value>(
  map: Map<string, Value>,
  changed: readonly (readonly [string, Value | null])[],
): readonly (readonly [string, Value | null])[] => {
  for (const [key, value] of changed)
    if (value === null) map.delete(key);
    else map.set(key, value);
  return changed;
};

const NOTHING: MarkbookTotal = { total: null, source: null, attendance: 'sat' };
const same = (one: MarkbookTotal, other: MarkbookTotal | null): boolean => isDeepStrictEqual(one, other ?? NOTHING);
