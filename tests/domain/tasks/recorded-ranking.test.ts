import { expect, test } from 'vitest';
import type { SentRow } from '../../../api/tasks/ranking/recorded-ranking.rules.ts';
import { adoptRanking, assignRecordedGrades, recordRanking } from '../../../api/tasks/ranking/recorded-ranking.rules.ts';
import { createTask, editTask, rankTask, removeRanking } from '../../../api/tasks/feedback-task.rules.ts';
import { Refused } from '../../../api/common/command.ts';
import type { FeedbackTask, FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import {
  anna,
  ben,
  carl,
  checked,
  created,
  dora,
  enough,
  facts,
  fold,
  mock,
  noInput,
  ranked,
  ranking,
  setName,
  x1,
  x2,
} from '../../support/task-states.ts';

const cohort = new Map([
  [anna, x1],
  [ben, x1],
  [carl, x2],
  [dora, x2],
]);
const leader = {
  cohort,
  comments: new Map([[carl, 'Was ill.']]),
  checks: new Map(),
  tests: new Set([mock]),
  leads: true,
  mayWrite: () => true,
};
/** Of the class x1. */
const teacher = { ...leader, leads: false, mayWrite: (setId: string) => setId === x1 };
const rows: readonly SentRow[] = [anna, carl, ben].map((studentId, index) => ({ studentId, ranking: index + 1, score: 70 - index }));
const events = (decision: readonly FeedbackTaskEvent[] | Refused): readonly FeedbackTaskEvent[] => {
  if (decision instanceof Refused) throw new Error(decision.title);
  return decision;
};
const why = (decision: readonly FeedbackTaskEvent[] | Refused): string => (decision instanceof Refused ? decision.title : 'not refused');
const after = (...happened: readonly FeedbackTaskEvent[]): FeedbackTask => fold(created, ...happened);
const sent = events(recordRanking(after(), rows, leader));
const adopted = events(adoptRanking(after(...sent), { cohort, hasTotals: () => true, setName }));

test('rows that are sent move no class, and are never a ranking by R3', () => {
  const task = after(...sent);
  expect(sent).toMatchObject([{ type: 'RankingRecorded', data: { formula: 'client' } }]);
  expect([task.statuses.size, task.ranking, task.students.size]).toEqual([0, undefined, 0]);
  expect(recordRanking(task, rows, leader)).toEqual([]);
});

test('adopted, they are the ranking: every class is at 2, and who was not sent has no rank', () => {
  const task = after(...sent, ...adopted);
  expect([...task.statuses]).toEqual([
    [x1, 2],
    [x2, 2],
  ]);
  expect(task.students.get(anna)).toMatchObject({ setId: x1, computed: { ranking: 1, score: 70 } });
  expect(task.students.get(dora)).toMatchObject({ setId: x2, computed: { ranking: null, score: null } });
  expect(why(adoptRanking(after(), { cohort, hasTotals: () => true, setName }))).toBe('No rows of a ranking were sent yet.');
  expect(why(adoptRanking(after(...sent), { cohort, hasTotals: ({ setId }) => setId === x1, setName }))).toMatch(/No totals yet: 11X2/u);
});

test('a teacher may say something about a row as it stands, and change no rank', () => {
  const task = after(...sent, ...adopted);
  const [row] = rows;
  const said = events(recordRanking(task, [{ studentId: anna, ...row, teacherRank: 2, flag: true, comment: 'Was ill.' }], teacher));
  expect(fold(created, ...sent, ...adopted, ...said).recorded.get(anna)).toMatchObject({ ranking: 1, teacherRank: 2, flag: true });
  expect(why(recordRanking(task, [{ studentId: anna, ranking: 3 }], teacher))).toMatch(/Only a leader/u);
  expect(why(recordRanking(task, [{ studentId: mock, ranking: 3 }], leader))).toBe('This student is not in the ranking.');
});

test('a row of another class tells a teacher nothing: what stands is refused like a guess', () => {
  const task = after(...sent, ...adopted);
  const guesses = [{}, { ranking: 2, score: 69 }, { ranking: 3 }, { comment: 'Was ill.' }, { comment: 'Was away.' }];
  for (const guess of guesses)
    expect(recordRanking(task, [{ studentId: carl, ...guess }], teacher)).toMatchObject({
      code: 'not-your-set',
      title: /not one of yours/u,
    });
});

test('grades that are sent are allocated on the terms of a profile', () => {
  const graded = events(recordRanking(after(...sent, ...adopted), [{ studentId: anna, grade: '9' }], leader));
  const before = [...sent, ...adopted, ...graded];
  expect(why(assignRecordedGrades(after(...before), setName))).toMatch(/Not checked yet by the teacher: 11X1, 11X2/u);
  const assigned = events(assignRecordedGrades(after(...before, checked(x1), checked(x2)), setName));
  expect(assigned).toMatchObject([{ type: 'GradesAssigned', data: { gradeProfileId: null, rows: [{ studentId: anna, grade: '9' }] } }]);
  expect(after(...before, noInput, ...assigned).statuses.get(x2)).toBe(4);
  expect(why(assignRecordedGrades(after(...sent, ...adopted, noInput), setName))).toBe('No grades were sent yet.');
});

test('what is sent after its step is decided by hand, and checked again as a whole', () => {
  const graded = [
    ...sent,
    ...adopted,
    checked(x1),
    checked(x2),
    ...events(recordRanking(after(...sent, ...adopted), [{ studentId: anna, grade: '9' }], leader)),
  ];
  const task = after(...graded, ...events(assignRecordedGrades(after(...graded), setName)));
  const [, decided] = events(recordRanking(task, [{ studentId: anna, ranking: 5, score: 70, grade: '8' }], leader));
  expect(decided).toEqual({
    type: 'ResultsDecided',
    data: { rows: [{ studentId: anna, ranking: 5, score: null, grade: '8', exempt: false }] },
  });
  const checks = new Map([
    [anna, { teacherRank: null, flag: true, comment: 'Was ill.' }],
    [ben, { teacherRank: 2, flag: false, comment: '' }],
  ]);
  const again = (row: object) =>
    events(recordRanking(after(...sent, ...adopted, checked(x1)), [{ studentId: ben, ...row }], { ...teacher, checks }));
  expect(again({ flag: true, comment: 'Late.' })).toMatchObject([
    { type: 'RankingRecorded' },
    {
      type: 'RankingChecked',
      data: {
        setId: x1,
        rows: [
          { studentId: anna, comment: { text: 'Was ill.' } },
          { teacherRank: 2, comment: { text: 'Late.' } },
        ],
      },
    },
  ]);
  expect(again({ teacherRank: 2 })).toMatchObject([{ type: 'RankingRecorded' }]);
});

test('removing a ranking removes what was sent, and so does ranking by R3', () => {
  expect(events(removeRanking(after(...sent)))).toEqual([{ type: 'RankingRemoved', data: {} }]);
  expect(after(...sent, { type: 'RankingRemoved', data: {} }).recorded.size).toBe(0);
  expect(after(...sent, ...adopted, ranked).recorded.size).toBe(0);
  expect(events(rankTask(after(...sent, ...adopted), ranking, facts))).toHaveLength(1);
});

test('a task may begin without classes, and cannot be ranked until it has some', () => {
  const { maps: _maps, about, ...task } = created.data;
  const empty = events(createTask({ ...task, name: about.name, maps: [] }, enough));
  expect(empty).toEqual([{ type: 'FeedbackTaskCreated', data: { ...created.data, maps: [] } }]);
  expect(why(rankTask(fold(...empty), ranking, facts))).toMatch(/no classes yet/u);
  const map = { setId: x1, testId: mock };
  expect(events(editTask(fold(...empty), { maps: [map] }))).toEqual([{ type: 'FeedbackTaskMapsChanged', data: { maps: [map] } }]);
});
