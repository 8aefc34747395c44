import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { EventOf, ReadEventOf, Recorded } from '../codec/event.ts';
import { event, sealed, sealedByAuthor } from '../codec/event.ts';
import { id, isoDate } from '../fields.ts';
import { gradeShares } from './grade-profile.ts';
import { digestOfRanking, ranking } from './ranking.ts';
import type { RecordedRow } from './recorded-ranking.ts';
import { adopted, recorded, recordedOver } from './recorded-ranking.ts';

/** One assessment that one set sits for the task. A set may have several, which are checked at once. */
const map = z.strictObject({ setId: id, testId: id });
export type TaskMap = z.infer<typeof map>;

const text = (field: string) => sealed(field, z.strictObject({ text: z.string() }));
/** Sets whose teachers' check the leader did not wait for, and why. */
const without = z.array(z.strictObject({ setId: id, about: sealedByAuthor(z.strictObject({ reason: z.string() })) }));
const created = z.strictObject({
  subjectId: id,
  yearGroupId: id,
  about: sealedByAuthor(z.strictObject({ name: z.string() })),
  expiry: isoDate,
  /** Teachers check the ranking and the grades of their sets. */
  teacherInput: z.boolean(),
  maps: z.array(map),
});
const rankedAgain = ranking.extend({
  /** What was decided by hand about students who had no score and have none now either: it still counts. Absent: nothing was. */
  kept: z
    .array(
      z.strictObject({ studentId: id, ranking: z.int().min(1).nullable(), score: z.number().positive().nullable(), exempt: z.boolean() }),
    )
    .optional(),
});
const completed = z.strictObject({
  without,
  /** Totals of the ranking that were contested then, and why the leader did not wait until that was decided; absent: none was. */
  contested: z
    .strictObject({
      totals: z.array(z.strictObject({ studentId: id, testId: id })).min(1),
      about: sealedByAuthor(z.strictObject({ reason: z.string() })),
    })
    .optional(),
});
/** What a teacher said about a student. Students about whom nothing was said are left out. */
const flags = { flag: z.boolean(), comment: text('studentId').optional() };

/** Storage contract of `task-{schoolId}.{taskId}`: a feedback task, from its assessments to the grades of a year group. */
export const feedbackTaskEvents = {
  FeedbackTaskCreated: event(2, created),
  FeedbackTaskRenamed: event(1, z.strictObject({ about: sealedByAuthor(z.strictObject({ name: z.string() })) })),
  FeedbackTaskExpiryChanged: event(1, z.strictObject({ expiry: isoDate })),
  FeedbackTaskTeacherInputChanged: event(1, z.strictObject({ teacherInput: z.boolean() })),
  /** The complete list each time. */
  FeedbackTaskMapsChanged: event(1, z.strictObject({ maps: z.array(map).min(1) })),
  FeedbackTaskDeleted: event(1, z.strictObject({})),
  FeedbackTaskRestored: event(1, z.strictObject({})),
  /** Every set is at 2 afterwards, and earlier checks are void. The norms stay as they are until the next ranking. */
  TaskRanked: event(2, rankedAgain),
  /** Rows of a ranking that was made elsewhere. They move no set: what counts is what is adopted, checked, graded and decided. */
  RankingRecorded: event(1, recorded),
  /** The recorded rows become the ranking: every set is at 2 afterwards, and earlier checks are void. Its norms are unknown. */
  RankingAdopted: event(1, adopted),
  /** Every set is below 2 again, and what was recorded is gone. */
  RankingRemoved: event(1, z.strictObject({})),
  /** A set is at 3 afterwards. `teacherRank` is advice and changes no ranking. */
  RankingChecked: event(
    1,
    z.strictObject({ setId: id, rows: z.array(z.strictObject({ studentId: id, teacherRank: z.int().min(1).nullable(), ...flags })) }),
  ),
  /** Every set is at 4 afterwards. */
  GradesAssigned: event(
    1,
    z.strictObject({
      gradeProfileId: id.nullable(),
      grades: gradeShares,
      rows: z.array(z.strictObject({ studentId: id, grade: z.string().max(20) })),
      without,
    }),
  ),
  /** Every set is at 3 again, and checks of grades are void. */
  GradesReopened: event(1, z.strictObject({})),
  /** A set is at 5 afterwards. */
  GradesChecked: event(1, z.strictObject({ setId: id, rows: z.array(z.strictObject({ studentId: id, ...flags })) })),
  /** What the leader decided about students by hand, the whole of it each time. null: as it was computed; `exempt`: is left out of the task. */
  ResultsDecided: event(
    1,
    z.strictObject({
      rows: z.array(
        z.strictObject({
          studentId: id,
          ranking: z.int().min(1).nullable(),
          score: z.number().positive().nullable(),
          grade: z.string().min(1).max(20).nullable(),
          exempt: z.boolean(),
        }),
      ),
    }),
  ),
  /** Every set is at 6; only deletion is left. */
  FeedbackTaskCompleted: event(2, completed),
  /** These accounts were sent a mail, because the ranking or the grades of their sets wait for a check. */
  TeachersReminded: event(
    1,
    z.strictObject({ check: z.enum(['ranking', 'grades']), setIds: z.array(id).min(1), accountIds: z.array(id).min(1) }),
  ),
};

export type FeedbackTaskEvent = EventOf<typeof feedbackTaskEvents>;
type Read = Recorded<ReadEventOf<typeof feedbackTaskEvents>>;

/** What counts is what the leader decided by hand, else what was computed. */
export type TaskStudent = {
  readonly setId: string;
  readonly computed: Result;
  readonly decided: Result;
  /** left out of the task */
  readonly exempt: boolean;
};
export type Result = { readonly ranking: number | null; readonly score: number | null; readonly grade: string | null };

export const resultOf = ({ computed, decided }: TaskStudent): Result => ({
  ranking: decided.ranking ?? computed.ranking,
  score: decided.score ?? computed.score,
  grade: decided.grade ?? computed.grade,
});

/** From 2 on; below it follows from the totals. */
export type SetStatus = 2 | 3 | 4 | 5 | 6;

export type FeedbackTask = {
  /** undefined: there is no such task */
  readonly subjectId: string | undefined;
  readonly yearGroupId: string;
  /** undefined: its author was forgotten */
  readonly name: string | undefined;
  readonly expiry: string;
  readonly teacherInput: boolean;
  readonly deleted: boolean;
  readonly maps: readonly TaskMap[];
  /** By set; empty: not ranked. */
  readonly statuses: ReadonlyMap<string, SetStatus>;
  /** The cohort of the ranking, by student. */
  readonly students: ReadonlyMap<string, TaskStudent>;
  /** The last ranking: the command that made it, and a digest by which an equal one is recognised; null: it was made elsewhere. */
  readonly ranking: { readonly rankingId: string; readonly digest: string | null } | undefined;
  /** What was sent of a ranking that was made elsewhere, by student. Without comments, which may be forgotten. */
  readonly recorded: ReadonlyMap<string, RecordedRow>;
  /** The command that allocated the grades; undefined: there are none. */
  readonly gradesId: string | undefined;
  /** Sets that the leader went on without, at the step to grades, or to the end. */
  readonly without: ReadonlySet<string>;
  /** The last one. */
  readonly reminder:
    | {
        readonly commandId: string;
        readonly check: 'ranking' | 'grades';
        readonly setIds: readonly string[];
        readonly accountIds: readonly string[];
      }
    | undefined;
};

const NONE: FeedbackTask = {
  subjectId: undefined,
  yearGroupId: '',
  name: undefined,
  expiry: '',
  teacherInput: true,
  deleted: false,
  maps: [],
  statuses: new Map(),
  students: new Map(),
  ranking: undefined,
  recorded: new Map(),
  gradesId: undefined,
  without: new Set(),
  reminder: undefined,
};

export const feedbackTask: Aggregate<FeedbackTask, Read> = {
  category: 'task',
  initial: () => NONE,
  evolve: (state, { type, data, metadata }) => {
    switch (type) {
      case 'FeedbackTaskCreated':
        return {
          ...NONE,
          subjectId: data.subjectId,
          yearGroupId: data.yearGroupId,
          name: unlessForgotten(data.about)?.name,
          expiry: data.expiry,
          teacherInput: data.teacherInput,
          maps: data.maps,
        };
      case 'FeedbackTaskRenamed':
        return { ...state, name: unlessForgotten(data.about)?.name };
      case 'FeedbackTaskExpiryChanged':
      case 'FeedbackTaskTeacherInputChanged':
      case 'FeedbackTaskMapsChanged':
        return { ...state, ...data };
      case 'FeedbackTaskDeleted':
      case 'FeedbackTaskRestored':
        return { ...state, deleted: type === 'FeedbackTaskDeleted' };
      case 'TaskRanked': {
        const kept = new Map(data.kept?.map((row) => [row.studentId, row]));
        return {
          ...state,
          statuses: allAt(state, 2),
          students: new Map(
            data.rows.map(({ studentId, setId, ranking, score }) => {
              const by = kept.get(studentId);
              const decided = by ? { ranking: by.ranking, score: by.score, grade: null } : NOTHING;
              return [studentId, { setId, computed: { ranking, score, grade: null }, decided, exempt: by?.exempt ?? false }];
            }),
          ),
          ranking: { rankingId: metadata.commandId, digest: digestOfRanking(data) },
          recorded: new Map(),
          without: new Set(),
        };
      }
      case 'RankingRecorded':
        return {
          ...state,
          recorded: new Map([
            ...state.recorded,
            ...data.rows.map((row) => [row.studentId, recordedOver(state.recorded.get(row.studentId), row)] as const),
          ]),
        };
      case 'RankingAdopted':
        return {
          ...state,
          statuses: allAt(state, 2),
          students: new Map(
            data.rows.map(({ studentId, setId, ranking, score }) => [
              studentId,
              { setId, computed: { ranking, score, grade: null }, decided: NOTHING, exempt: false },
            ]),
          ),
          ranking: { rankingId: metadata.commandId, digest: null },
          without: new Set(),
        };
      case 'RankingRemoved':
        return { ...state, statuses: new Map(), students: new Map(), ranking: undefined, recorded: new Map(), without: new Set() };
      case 'RankingChecked':
        return { ...state, statuses: new Map(state.statuses).set(data.setId, 3) };
      case 'GradesAssigned': {
        const grades = new Map(data.rows.map(({ studentId, grade }) => [studentId, grade]));
        return {
          ...state,
          statuses: allAt(state, 4),
          students: changed(state, (student, studentId) => ({
            ...student,
            computed: { ...student.computed, grade: grades.get(studentId) ?? null },
          })),
          gradesId: metadata.commandId,
          without: new Set(data.without.map(({ setId }) => setId)),
        };
      }
      case 'GradesReopened':
        return {
          ...state,
          gradesId: undefined,
          statuses: allAt(state, 3),
          students: changed(state, ({ computed, decided, ...student }) => ({
            ...student,
            computed: { ...computed, grade: null },
            decided: { ...decided, grade: null },
          })),
        };
      case 'GradesChecked':
        return { ...state, statuses: new Map(state.statuses).set(data.setId, 5) };
      case 'ResultsDecided': {
        const decided = new Map(data.rows.map((row) => [row.studentId, row]));
        return {
          ...state,
          students: changed(state, (student, studentId) => {
            const row = decided.get(studentId);
            if (!row) return student;
            const { ranking, score, grade, exempt } = row;
            return { ...student, decided: { ranking, score, grade }, exempt };
          }),
        };
      }
      case 'FeedbackTaskCompleted':
        return { ...state, statuses: allAt(state, 6), without: new Set([...state.without, ...data.without.map(({ setId }) => setId)]) };
      case 'TeachersReminded':
        return { ...state, reminder: { commandId: metadata.commandId, ...data } };
    }
  },
};

const NOTHING: Result = { ranking: null, score: null, grade: null };

/** The sets of a task, each once. */
export const setsOf = ({ maps }: Pick<FeedbackTask, 'maps'>): readonly string[] => [...new Set(maps.map(({ setId }) => setId))];

const allAt = (task: FeedbackTask, status: SetStatus): ReadonlyMap<string, SetStatus> =>
  new Map(setsOf(task).map((setId) => [setId, status]));

const changed = (
  { students }: FeedbackTask,
  change: (student: TaskStudent, studentId: string) => TaskStudent,
): ReadonlyMap<string, TaskStudent> => new Map([...students].map(([studentId, student]) => [studentId, change(student, studentId)]));
