import { rank } from '../../api/tasks/ranking/ranking.formula.ts';
import type { FeedbackTask, FeedbackTaskEvent } from '../../events/tasks/feedback-task.ts';
import type { Ranking } from '../../events/tasks/ranking.ts';
import { feedbackTask, feedbackTaskEvents } from '../../events/tasks/feedback-task.ts';
import { id } from './decider.ts';

/** A feedback task of two classes, folded from its events, in every state. */
export const [x1, x2, mock] = ['11X1', '11X2', 'mock'].map(id) as [string, string, string];
const students = ['anna', 'ben', 'carl', 'dora'].map((name, index) => ({
  studentId: id(name),
  setId: index < 2 ? x1 : x2,
  total: [18, 12, 15, null][index] ?? null,
}));
export const [anna, ben, carl, dora] = students.map(({ studentId }) => studentId) as [string, string, string, string];

/** Dora sat nothing, so has no score and no rank. */
export const rankingOf = (change = 0): Ranking => {
  const totals = new Map(students.flatMap(({ studentId, total }) => (total === null ? [] : [[studentId, total + change] as const])));
  const { formula, norms, rows } = rank(
    students.map(({ studentId }, index) => ({ studentId, prior: 30 + index })),
    [{ testId: mock, max: 20, totals }],
  );
  const setOf = new Map(students.map(({ studentId, setId }) => [studentId, setId]));
  return {
    formula,
    terminalExamId: id('ks2'),
    norms: { prior: norms.prior, tests: norms.tests.map((test) => ({ ...test, counted: { events: 1, last: id('upload') } })) },
    rows: rows.map(({ sat: _sat, ...row }) => ({
      ...row,
      setId: setOf.get(row.studentId) ?? '',
      priorScore: String(row.prior),
      totals: [totals.get(row.studentId) ?? null],
    })),
  };
};
export const ranking = rankingOf();
export const grades = [
  { label: '9', percent: 40 },
  { label: '8', percent: 60 },
];
export const enough = { scores: 90, students: 100, mixed: false };
export const setName = (setId: string): string => (setId === x1 ? '11X1' : '11X2');
export const facts = { hasTotals: () => true, setName, prior: enough };

export const fold = (...events: readonly FeedbackTaskEvent[]): FeedbackTask =>
  events.reduce((state, { type, data }, index) => {
    // As it is stored: every decision fits the contract of its event.
    const schema = feedbackTaskEvents[type].schema;
    return feedbackTask.evolve(state, { type, data: schema.parse(data), metadata: { commandId: id(`command ${index}`) } } as never);
  }, feedbackTask.initial());

export const created = {
  type: 'FeedbackTaskCreated',
  data: {
    subjectId: id('maths'),
    yearGroupId: id('year 11'),
    about: { name: 'Autumn' },
    expiry: '2026-12-01',
    teacherInput: true,
    maps: [x1, x2].map((setId) => ({ setId, testId: mock })),
  },
} satisfies FeedbackTaskEvent;
export const noInput: FeedbackTaskEvent = { type: 'FeedbackTaskTeacherInputChanged', data: { teacherInput: false } };
export const ranked: FeedbackTaskEvent = { type: 'TaskRanked', data: ranking };
export const checked = (setId: string): FeedbackTaskEvent => ({ type: 'RankingChecked', data: { setId, rows: [] } });
export const assigned: FeedbackTaskEvent = {
  type: 'GradesAssigned',
  data: {
    gradeProfileId: null,
    grades,
    rows: [anna, carl, ben].map((studentId, index) => ({ studentId, grade: index < 2 ? '9' : '8' })),
    without: [],
  },
};
const gradesChecked = (setId: string): FeedbackTaskEvent => ({ type: 'GradesChecked', data: { setId, rows: [] } });
const completed: FeedbackTaskEvent = { type: 'FeedbackTaskCompleted', data: { without: [] } };

export const to3 = [created, ranked, checked(x1), checked(x2)];
export const to5 = [...to3, assigned, gradesChecked(x1), gradesChecked(x2)];
export const exemptDora: FeedbackTaskEvent = {
  type: 'ResultsDecided',
  data: { rows: [{ studentId: dora, ranking: null, score: null, grade: null, exempt: true }] },
};
/** Every state: 0 and 1 differ by totals only. */
export const states = {
  none: fold(),
  0: fold(created),
  1: fold(created),
  2: fold(created, ranked),
  3: fold(...to3),
  4: fold(...to3, assigned, exemptDora),
  5: fold(...to5, exemptDora),
  6: fold(...to5, exemptDora, completed),
  deleted: fold(...to5, { type: 'FeedbackTaskDeleted', data: {} }),
} as const;
export type State = keyof typeof states;
export const columns: readonly State[] = ['none', 0, 1, 2, 3, 4, 5, 6, 'deleted'];
