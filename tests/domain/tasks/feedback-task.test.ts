import { describe, expect, test } from 'vitest';
import { Refused } from '../../../api/common/command.ts';
import type { RankCheck } from '../../../api/tasks/checks.rules.ts';
import { checkGrades, checkRanking } from '../../../api/tasks/checks.rules.ts';
import {
  createTask,
  deleteTask,
  editTask,
  mapStatus,
  rankTask,
  removeRanking,
  restoreTask,
} from '../../../api/tasks/feedback-task.rules.ts';
import type { DecidedResult } from '../../../api/tasks/grades/grades.rules.ts';
import { assignGrades, completeTask, decideResults, reopenGrades } from '../../../api/tasks/grades/grades.rules.ts';
import type { FeedbackTask, FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import { resultOf } from '../../../events/tasks/feedback-task.ts';
import { digestOfRanking } from '../../../events/tasks/ranking.ts';
import { id } from '../../support/decider.ts';
import type { State } from '../../support/task-states.ts';
import {
  x1,
  x2,
  mock,
  anna,
  ben,
  carl,
  dora,
  rankingOf,
  ranking,
  grades,
  enough,
  setName,
  facts,
  fold,
  created,
  noInput,
  ranked,
  checked,
  assigned,
  to3,
  to5,
  exemptDora,
  states,
  columns,
} from '../../support/task-states.ts';

const GONE = 'There is no such feedback task.';
const ENDED = 'This feedback task has ended.';
const REOPEN = 'Grades are allocated already. Reopen them first.';
const UNRANKED = 'The students are not ranked yet.';
const UNGRADED = 'No grades are allocated yet.';
const NOT_YET = 'There is nothing to check yet.';
const PAST = 'The subject leader has gone on meanwhile: this can no longer be checked.';
const WAITING = 'Not checked yet by the teacher: 11X1, 11X2. Wait for it, or go on without it and say why.';
const NO_TOTALS = 'No totals yet: 11X1, 11X2. Upload them, or take the class out of the task.';

/** Every command in every state: the events it writes, or the sentence by which it is refused. */
const table: readonly (readonly [
  name: string,
  act: (task: FeedbackTask, state: State) => ReturnType<typeof deleteTask>,
  outcomes: readonly string[],
])[] = [
  ['rename', (task) => editTask(task, { name: 'Spring' }), [GONE, ...Array.from({ length: 6 }, () => 'FeedbackTaskRenamed'), ENDED, GONE]],
  [
    'change expiry',
    (task) => editTask(task, { expiry: '2026-12-24' }),
    [GONE, ...Array.from({ length: 6 }, () => 'FeedbackTaskExpiryChanged'), ENDED, GONE],
  ],
  [
    'switch teacher input off',
    (task) => editTask(task, { teacherInput: false }),
    [GONE, ...Array.from({ length: 6 }, () => 'FeedbackTaskTeacherInputChanged'), ENDED, GONE],
  ],
  [
    'change assessments',
    (task) => editTask(task, { maps: [{ setId: x1, testId: mock }] }),
    [
      GONE,
      'FeedbackTaskMapsChanged',
      'FeedbackTaskMapsChanged',
      ...Array.from(
        { length: 4 },
        () => 'The students are ranked already. Remove the ranking first, then change the classes and assessments.',
      ),
      ENDED,
      GONE,
    ],
  ],
  [
    'rank',
    (task, state) => rankTask(task, rankingOf(1), { ...facts, hasTotals: () => state !== 0 }),
    [GONE, NO_TOTALS, 'TaskRanked', 'TaskRanked', 'TaskRanked', REOPEN, REOPEN, ENDED, GONE],
  ],
  ['remove the ranking', (task) => removeRanking(task), [GONE, '', '', 'RankingRemoved', 'RankingRemoved', REOPEN, REOPEN, ENDED, GONE]],
  [
    'check the ranking',
    (task) => checkRanking(task, x1, []),
    [GONE, NOT_YET, NOT_YET, 'RankingChecked', 'RankingChecked', PAST, PAST, ENDED, GONE],
  ],
  [
    'assign grades',
    (task) => assignGrades(task, { gradeProfileId: null, grades, without: [] }, setName),
    [GONE, UNRANKED, UNRANKED, WAITING, 'GradesAssigned', REOPEN, REOPEN, ENDED, GONE],
  ],
  ['reopen grades', reopenGrades, [GONE, UNRANKED, UNRANKED, UNGRADED, UNGRADED, 'GradesReopened', 'GradesReopened', ENDED, GONE]],
  [
    'check grades',
    (task) => checkGrades(task, x1, []),
    [GONE, NOT_YET, NOT_YET, NOT_YET, NOT_YET, 'GradesChecked', 'GradesChecked', ENDED, GONE],
  ],
  [
    'decide results',
    (task) => decideResults(task, [{ studentId: anna, ranking: 2, score: null, grade: null, exempt: false }]),
    [GONE, UNRANKED, UNRANKED, UNGRADED, UNGRADED, 'ResultsDecided', 'ResultsDecided', ENDED, GONE],
  ],
  [
    'complete',
    (task) => completeTask(task, { without: [] }, { left: new Set(), flaggedTotals: [], setName }),
    [GONE, UNRANKED, UNRANKED, UNGRADED, UNGRADED, WAITING, 'FeedbackTaskCompleted', ENDED, GONE],
  ],
  ['delete', deleteTask, [GONE, ...Array.from({ length: 7 }, () => 'FeedbackTaskDeleted'), '']],
  ['restore', restoreTask, [GONE, ...Array.from({ length: 7 }, () => ''), 'FeedbackTaskRestored']],
];

const outcome = (decision: ReturnType<typeof deleteTask>): string =>
  decision instanceof Refused ? decision.title : decision.map(({ type }) => type).join(' ');
const events = (decision: ReturnType<typeof deleteTask>): readonly FeedbackTaskEvent[] => {
  if (decision instanceof Refused) throw new Error(`it is refused: ${decision.title}`);
  return decision;
};
const titleOf = (decision: ReturnType<typeof deleteTask>): string => (decision instanceof Refused ? decision.title : 'it is not refused');

describe('every command in every state', () => {
  for (const [name, act, outcomes] of table)
    test(name, () => {
      expect(outcomes).toHaveLength(columns.length);
      expect(columns.map((state) => [state, outcome(act(states[state], state))])).toEqual(
        columns.map((state, index) => [state, outcomes[index]]),
      );
    });
});

test('the states are those that their events lead to', () => {
  const statusIn = (state: State): readonly number[] => states[state].maps.map((map) => mapStatus(states[state], map, () => state !== 0));
  expect(columns.slice(1, 8).map(statusIn)).toEqual([0, 1, 2, 3, 4, 5, 6].map((status) => [status, status]));
});

test('the ranking and the grades that stand are known by their commands; a reminder changes nothing', () => {
  const idsOf = ({ ranking: made, gradesId }: FeedbackTask) => [made?.rankingId, gradesId];
  expect(idsOf(states[3])).toEqual([id('command 1'), undefined]);
  expect(idsOf(states[5])).toEqual([id('command 1'), id('command 4')]);
  expect(idsOf(fold(...to3, assigned, { type: 'GradesReopened', data: {} }, ranked))).toEqual([id('command 6'), undefined]);
  expect(idsOf(fold(...to3, { type: 'RankingRemoved', data: {} }))).toEqual([undefined, undefined]);
  const reminded: FeedbackTaskEvent = { type: 'TeachersReminded', data: { check: 'ranking', setIds: [x1], accountIds: [id('teacher')] } };
  expect({ ...fold(created, ranked, reminded), reminder: undefined }).toEqual(states[2]);
});

test('a task begins only where 90 % of the year group have prior data, counted and not rounded', () => {
  const { about: _about, ...data } = created.data;
  const task = { ...data, name: 'Autumn' };
  expect(titleOf(createTask(task, { scores: 656, students: 729 }))).toBe('You need to upload prior data to initiate a feedback task');
  expect(createTask(task, { scores: 657, students: 729 })).toEqual([created]);
  expect(titleOf(createTask({ ...task, maps: [...task.maps, ...task.maps] }, enough))).toBe('A class can have each assessment once.');
});

describe('ranking', () => {
  test('needs 90 % of the chosen exam, of one kind, and totals of every class', () => {
    const refused = (change: object) => titleOf(rankTask(states[1], ranking, { ...facts, ...change }));
    expect(refused({ prior: { scores: 656, students: 729, mixed: false } })).toBe(
      'Prior data: 89.9 %. At least 90 % of the year group is needed.',
    );
    expect(refused({ prior: { scores: 657, students: 729, mixed: false } })).toBe('it is not refused');
    expect(refused({ prior: { ...enough, mixed: true } })).toBe(
      'The prior data of this exam holds letters and numbers. Students can be ranked by one of them only.',
    );
    expect(refused({ hasTotals: ({ setId }: { setId: string }) => setId === x1 })).toBe(
      'No totals yet: 11X2. Upload them, or take the class out of the task.',
    );
    const untested = rankTask(states[1], { ...ranking, norms: { ...ranking.norms, tests: [] } }, facts);
    expect(untested instanceof Refused && untested.errors).toEqual([{ path: 'testIds', message: 'Select at least one test.' }]);
  });

  test('the same again writes nothing and leaves the checks; another one voids them', () => {
    expect(rankTask(states[3], ranking, facts)).toEqual([]);
    const again = fold(...to3, ...events(rankTask(states[3], rankingOf(1), facts)));
    expect([...again.statuses.values()]).toEqual([2, 2]);
    // While the leader ranked again, a teacher checked: their check of the new ranking is taken.
    expect(outcome(checkRanking(again, x1, []))).toBe('RankingChecked');
  });

  test('removed, the classes wait for a ranking as before, and may be changed', () => {
    const removed = fold(...to3, ...events(removeRanking(states[3])));
    expect([removed.statuses.size, removed.students.size]).toEqual([0, 0]);
    expect(outcome(editTask(removed, { maps: [{ setId: x2, testId: mock }] }))).toBe('FeedbackTaskMapsChanged');
    expect(outcome(rankTask(removed, ranking, facts))).toBe('TaskRanked');
  });
});

describe('two people at once', () => {
  const seen = states[2].ranking?.rankingId ?? '';
  const again = fold(created, ranked, checked(x1), { type: 'TaskRanked', data: rankingOf(1) });

  test('do not overwrite what they have not seen', () => {
    const RANKED = 'Somebody else has ranked the students, or removed the ranking, meanwhile. Look at it, then decide again.';
    expect(outcome(rankTask(states[2], rankingOf(1), facts, { was: seen }))).toBe('TaskRanked');
    expect(titleOf(rankTask(again, rankingOf(2), facts, { was: seen }))).toBe(RANKED);
    expect(titleOf(rankTask(states[2], rankingOf(1), facts, { was: null }))).toBe(RANKED);
    // Both have ranked the same: nobody has lost anything.
    expect(rankTask(again, rankingOf(1), facts, { was: seen })).toEqual([]);
    expect(titleOf(removeRanking(again, seen))).toBe(RANKED);
    expect(outcome(removeRanking(again, again.ranking?.rankingId))).toBe('RankingRemoved');

    const edited = fold(created, { type: 'FeedbackTaskRenamed', data: { about: { name: 'Summer' } } });
    expect(titleOf(editTask(edited, { name: 'Spring' }, { name: 'Autumn' }))).toBe(
      'Somebody else has changed this feedback task meanwhile. Reload to see it, then save yours again.',
    );
    expect(outcome(editTask(edited, { expiry: '2026-12-24' }, { name: 'Autumn', expiry: '2026-12-01' }))).toBe('FeedbackTaskExpiryChanged');

    const none = { ranking: null, score: null, grade: null, exempt: false };
    const decided = fold(...to5, { type: 'ResultsDecided', data: { rows: [{ studentId: anna, ...none, ranking: 2 }] } });
    const refusal = decideResults(decided, [{ studentId: anna, ...none, ranking: 3, was: none }]);
    expect(refusal instanceof Refused && [refusal.code, ...refusal.errors.map(({ path }) => path)]).toEqual(['conflict', 'rows.0']);
    expect(events(decideResults(decided, [{ studentId: anna, ...none, ranking: 3, was: { ...none, ranking: 2 } }]))).toEqual([
      { type: 'ResultsDecided', data: { rows: [{ studentId: anna, ...none, ranking: 3 }] } },
    ]);
  });

  test('a ranking is not made of other totals than its author saw', () => {
    const digest = digestOfRanking(rankingOf(1));
    expect(outcome(rankTask(states[2], rankingOf(1), facts, { preview: digest }))).toBe('TaskRanked');
    expect(titleOf(rankTask(states[2], rankingOf(2), facts, { preview: digest }))).toBe(
      'Totals or prior data have changed since you looked. Nothing was ranked: look at the ranking again.',
    );
  });

  test('a teacher checks what they saw', () => {
    expect(titleOf(checkRanking(again, x1, [], { seen }))).toBe(
      'The students were ranked again meanwhile. Nothing was stored: look at the new ranking, then check it.',
    );
    expect(outcome(checkRanking(again, x1, [], { seen: again.ranking?.rankingId }))).toBe('RankingChecked');
    const regraded = fold(...to3, assigned, { type: 'GradesReopened', data: {} }, assigned);
    expect(titleOf(checkGrades(regraded, x1, [], { seen: states[4].gradesId }))).toBe(
      'Grades were allocated again meanwhile. Nothing was stored: look at the new grades, then check them.',
    );
    expect(outcome(checkGrades(regraded, x1, [], { seen: regraded.gradesId }))).toBe('GradesChecked');
  });

  test('two teachers of a class lose nothing that the other has said', () => {
    const said = (studentId: string, comment?: string) => ({ studentId, flag: comment !== undefined, comment, teacherRank: 3 });
    const [of, bens] = [said(anna, 'Was ill.'), said(ben)];
    /** What is sent of the class, where this had been said when its author looked, and this stands. */
    const check = (rows: readonly RankCheck[], was: readonly RankCheck[] | undefined, stands: readonly RankCheck[]) =>
      checkRanking(states[3], x1, rows, { was, stands });
    const refusal = check([bens], [], [of]);
    expect(refusal instanceof Refused && [refusal.code, refusal.title, refusal.errors]).toEqual([
      'conflict',
      'Somebody else has checked this class meanwhile. Nothing was stored: look at what they said, then save yours again.',
      [{ path: `students.${anna}`, message: 'Somebody else has checked it, and says something else.' }],
    ]);
    // About the same student: another comment, and one that was taken back.
    expect(titleOf(check([said(anna, 'Was away.')], [], [of]))).toMatch(/^Somebody else has checked/);
    expect(titleOf(check([said(anna, 'Was away.')], [of], []))).toMatch(/^Somebody else has checked/);
    // Both said the same; one's own is changed, and taken back; and no presumption is none.
    for (const [rows, was, stands] of [
      [[of], [], [of]],
      [[said(anna, 'Was away.'), bens], [of], [of]],
      [[bens], [of], [of]],
      [[], [bens], [{ ...bens, comment: '' }]],
      [[bens], undefined, [of]],
    ] as const)
      expect(outcome(check(rows, was, stands))).toBe('RankingChecked');
    const flagged = { studentId: anna, flag: true };
    expect(titleOf(checkGrades(states[5], x1, [], { was: [], stands: [flagged] }))).toMatch(/^Somebody else has checked/);
    expect(outcome(checkGrades(states[5], x1, [], { was: [flagged], stands: [flagged] }))).toBe('GradesChecked');
  });
});

describe('a check', () => {
  const flag = { studentId: anna, teacherRank: 3, flag: true, comment: 'Was ill in May.' };
  test('is of the students of one class, and comments only on who is flagged', () => {
    expect(events(checkRanking(states[2], x1, [flag]))).toEqual([
      {
        type: 'RankingChecked',
        data: { setId: x1, rows: [{ studentId: anna, teacherRank: 3, flag: true, comment: { text: 'Was ill in May.' } }] },
      },
    ]);
    expect(titleOf(checkRanking(states[2], x2, [flag]))).toBe('This student is not in the ranking.');
    const unflagged = checkRanking(states[2], x1, [{ ...flag, flag: false }]);
    expect(unflagged instanceof Refused && unflagged.errors).toEqual([{ path: 'rows.0.comment', message: 'Flag the student to comment.' }]);
    expect(titleOf(checkRanking(states[2], id('11X3'), []))).toBe('This class is not in the task.');
    const twice = checkRanking(states[2], x1, [flag, flag]);
    expect(twice instanceof Refused && twice.errors).toEqual([{ path: 'rows.1', message: 'A student can be listed once.' }]);
  });

  test('changes no rank, whatever the teacher says', () => {
    const after = fold(created, ranked, ...events(checkRanking(states[2], x1, [flag])));
    expect([...after.students].map(([studentId, student]) => [studentId, resultOf(student).ranking])).toEqual(
      [...states[2].students].map(([studentId, student]) => [studentId, resultOf(student).ranking]),
    );
    expect(after.statuses.get(x1)).toBe(3);
    expect(after.statuses.get(x2)).toBe(2);
  });

  test('is not asked for where teacher input is off', () => {
    expect(titleOf(checkRanking(fold(created, noInput, ranked), x1, []))).toBe('Teachers do not check this task.');
    const without = fold(created, noInput, ranked);
    const graded = fold(
      created,
      noInput,
      ranked,
      ...events(assignGrades(without, { gradeProfileId: null, grades, without: [] }, setName)),
      exemptDora,
    );
    expect(outcome(completeTask(graded, { without: [] }, { left: new Set(), flaggedTotals: [], setName }))).toBe('FeedbackTaskCompleted');
  });

  test('that is not waited for needs a reason, which is kept only for classes that were not checked', () => {
    const half = fold(created, ranked, checked(x1));
    const assign = (without: readonly { setId: string; reason: string }[]) =>
      assignGrades(half, { gradeProfileId: null, grades, without }, setName);
    expect(titleOf(assign([]))).toBe('Not checked yet by the teacher: 11X2. Wait for it, or go on without it and say why.');
    const [event] = events(assign([x1, x2].map((setId) => ({ setId, reason: 'On leave' }))));
    expect(event?.type === 'GradesAssigned' && event.data.without).toEqual([{ setId: x2, about: { reason: 'On leave' } }]);
    expect([...fold(created, ranked, checked(x1), ...(event ? [event] : [])).statuses.values()]).toEqual([4, 4]);
  });
});

describe('grades', () => {
  test('follow the ranks of who has one; a profile that is not 100 % is refused', () => {
    const [event] = events(assignGrades(states[3], { gradeProfileId: null, grades, without: [] }, setName));
    expect(
      event?.type === 'GradesAssigned' && Object.fromEntries(event.data.rows.map(({ studentId, grade }) => [studentId, grade])),
    ).toEqual({
      [anna]: '9',
      [carl]: '9',
      [ben]: '8',
    });
    const short = assignGrades(states[3], { gradeProfileId: null, grades: grades.slice(0, 1), without: [] }, setName);
    expect(short instanceof Refused && short.errors).toEqual([
      { path: 'grades', message: 'The percentages must add up to 100 %: they add up to 40 %.' },
    ]);
  });

  test('reopened, they are gone with what was decided about them; ranks that were decided stay', () => {
    const decided = events(
      decideResults(states[5], [
        { studentId: anna, ranking: 2, score: null, grade: '7', exempt: false },
        { studentId: ben, ranking: null, score: null, grade: null, exempt: true },
      ]),
    );
    const before = fold(...to5, exemptDora, ...decided);
    const after = fold(...to5, exemptDora, ...decided, ...events(reopenGrades(before)));
    const of = (task: FeedbackTask) => {
      const student = task.students.get(anna);
      return student && resultOf(student);
    };
    expect([of(before)?.grade, of(after)?.grade, of(after)?.ranking]).toEqual(['7', null, 2]);
    expect([...after.statuses.values()]).toEqual([3, 3]);
    // Allocated again, whoever is exempt takes no place and gets no grade.
    const [again] = events(assignGrades(after, { gradeProfileId: null, grades, without: [] }, setName));
    expect(again?.type === 'GradesAssigned' && again.data.rows.map(({ studentId }) => studentId).toSorted()).toEqual(
      [anna, carl].toSorted(),
    );
  });
});

describe('the final check', () => {
  const complete = (task: FeedbackTask, left: readonly string[] = []) =>
    completeTask(task, { without: [] }, { left: new Set(left), flaggedTotals: [], setName });
  const byHand = (row: Partial<DecidedResult>) =>
    decideResults(fold(...to5), [{ studentId: dora, ranking: null, score: null, grade: null, exempt: false, ...row }]);

  test('needs rank, score and grade of everybody: by hand, or exempt, or no longer on roll', () => {
    const refusal = complete(fold(...to5));
    expect(titleOf(refusal)).toBe('1 student has no ranking, score or grade yet.');
    expect(refusal instanceof Refused && refusal.errors.map(({ path }) => path)).toEqual(
      ['grade', 'ranking', 'score'].map((field) => `students.${dora}.${field}`),
    );
    expect(outcome(complete(fold(...to5), [dora]))).toBe('FeedbackTaskCompleted');
    expect(outcome(complete(fold(...to5, ...events(byHand({ exempt: true })))))).toBe('FeedbackTaskCompleted');
    expect(outcome(complete(fold(...to5, ...events(byHand({ ranking: 4, score: 20, grade: '8' })))))).toBe('FeedbackTaskCompleted');
    expect(titleOf(complete(fold(...to5, ...events(byHand({ ranking: 4, score: 20 })))))).toBe(
      '1 student has no ranking, score or grade yet.',
    );
  });

  test('what is decided by hand counts until it is taken back; the same again writes nothing', () => {
    const row = { studentId: anna, ranking: 2, score: 50.5, grade: '8', exempt: false };
    const first = events(decideResults(fold(...to5), [row]));
    const task = fold(...to5, ...first);
    const shown = (one: FeedbackTask) => {
      const student = one.students.get(anna);
      return student && resultOf(student);
    };
    expect(shown(task)).toEqual({ ranking: 2, score: 50.5, grade: '8' });
    expect(decideResults(task, [row])).toEqual([]);
    const back = fold(...to5, ...first, ...events(decideResults(task, [{ ...row, ranking: null, score: null, grade: null }])));
    expect(shown(back)).toEqual(shown(fold(...to5)));
    expect(titleOf(decideResults(task, [{ ...row, studentId: id('nobody') }]))).toBe('This student is not in the ranking.');
  });
});

test('a deleted task comes back as it was', () => {
  const back = fold(...to5, { type: 'FeedbackTaskDeleted', data: {} }, { type: 'FeedbackTaskRestored', data: {} });
  expect(back).toEqual(fold(...to5));
});
