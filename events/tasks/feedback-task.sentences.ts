import { changesOf, day, deletion, words, wordsOrNone } from '../change.ts';
import type { Sealed } from '../codec/event.ts';
import type { Change, ChangeValue, Descriptions, Part } from '../sentence.ts';
import { count, things, typed } from '../sentence.ts';
import type { feedbackTaskEvents, TaskMap } from './feedback-task.ts';
import { setsOf } from './feedback-task.ts';
import { sharesText } from './grade-profile.sentences.ts';

export const feedbackTaskSentences: Descriptions<typeof feedbackTaskEvents> = {
  FeedbackTaskCreated: {
    says: ({ data }) => [`added the feedback task ${typed(data.about, ({ name }) => name)} to `, things('yearGroup', data.yearGroupId)],
    changes: ({ id, data }) => [
      ...changesOf('task', id, {
        Name: words(typed(data.about, ({ name }) => name)),
        'Expiry date': words(day(data.expiry)),
        'Teachers check': data.teacherInput,
      }),
      ...mapsOf(id, data.maps),
    ],
  },
  FeedbackTaskRenamed: {
    says: ({ data }) => [`renamed a feedback task to ${typed(data.about, ({ name }) => name)}`],
    changes: ({ id, data }) => changesOf('task', id, { Name: words(typed(data.about, ({ name }) => name)) }),
  },
  FeedbackTaskExpiryChanged: {
    says: ({ id, data }) => ['set the expiry date of the feedback task ', things('task', id), ` to ${day(data.expiry)}`],
    changes: ({ id, data }) => changesOf('task', id, { 'Expiry date': words(day(data.expiry)) }),
  },
  FeedbackTaskTeacherInputChanged: {
    says: ({ id, data }) => [
      `switched ${data.teacherInput ? 'on' : 'off'} the checks by teachers in the feedback task `,
      things('task', id),
    ],
    changes: ({ id, data }) => changesOf('task', id, { 'Teachers check': data.teacherInput }),
  },
  FeedbackTaskMapsChanged: {
    says: ({ id, data }) => [
      'chose ',
      things('assessment', ...new Set(data.maps.map(({ testId }) => testId))),
      ' for ',
      things('class', ...setsOf(data)),
      ' in the feedback task ',
      things('task', id),
    ],
    changes: ({ id, data }) => mapsOf(id, data.maps),
  },
  FeedbackTaskDeleted: deletion('deleted the feedback task ', 'task', true, ({ id }) => id),
  FeedbackTaskRestored: deletion('restored the feedback task ', 'task', false, ({ id }) => id),
  TaskRanked: {
    says: ({ id, data: { rows, norms } }) => [
      `ranked ${count(rows.length, 'student')} in `,
      things('task', id),
      ' by ',
      things('assessment', ...norms.tests.map(({ testId }) => testId)),
    ],
    changes: ({ id, data: { terminalExamId, rows, kept = [] } }) => [
      ...changesOf('task', id, { 'Terminal exam': things('exam', terminalExamId) }),
      ...rows.flatMap((row) => resultOf(id, row)),
      ...kept.flatMap((row) => decisionOf(id, row)),
    ],
  },
  RankingRecorded: {
    says: ({ id, data }) => [
      `recorded a ranking of ${count(data.rows.length, 'student')}, made by another program, in `,
      things('task', id),
    ],
    changes: ({ id, data }) =>
      data.rows.flatMap(({ studentId, testIds, ranking, score, grade, teacherRank, flag, comment }) =>
        given(id, studentId, {
          'Recorded assessments': testIds && things('assessment', ...testIds),
          'Recorded ranking': ranking,
          'Recorded score': score === undefined ? undefined : rounded(score),
          'Recorded grade': grade === undefined ? undefined : wordsOrNone(grade),
          'Recorded teacher rank': teacherRank,
          'Recorded flag': flag,
          Comment: comment && CHANGED,
        }),
      ),
  },
  RankingAdopted: {
    says: ({ id, data }) => [
      `adopted a ranking of ${count(data.rows.length, 'student')}, made by another program, in `,
      things('task', id),
    ],
    changes: ({ id, data }) => data.rows.flatMap((row) => resultOf(id, row)),
  },
  RankingRemoved: { says: ({ id }) => ['removed the ranking of ', things('task', id)] },
  RankingChecked: {
    says: ({ id, data: { setId, rows } }) => [
      'checked the ranking of ',
      things('class', setId),
      ' in ',
      things('task', id),
      flagging(rows),
    ],
    changes: ({ id, data }) =>
      data.rows.flatMap(({ studentId, teacherRank, flag, comment }) =>
        given(id, studentId, { 'Teacher rank': teacherRank, 'Flag of the ranking': flag, Comment: comment && CHANGED }),
      ),
  },
  GradesAssigned: {
    says: ({ id, data: { gradeProfileId, rows, without } }) => [
      `allocated grades to ${count(rows.length, 'student')} in `,
      things('task', id),
      ...(gradeProfileId === null ? [] : [' by ', things('gradeProfile', gradeProfileId)]),
      ...withoutChecks(without),
    ],
    changes: ({ id, data: { grades, rows, without } }) => [
      ...changesOf('task', id, { Grades: words(sharesText(grades)) }),
      ...rows.flatMap(({ studentId, grade }) => given(id, studentId, { Grade: words(grade) })),
      ...reasonsOf(id, without),
    ],
  },
  GradesReopened: { says: ({ id }) => ['reopened the grades of ', things('task', id)] },
  GradesChecked: {
    says: ({ id, data: { setId, rows } }) => ['checked the grades of ', things('class', setId), ' in ', things('task', id), flagging(rows)],
    changes: ({ id, data }) =>
      data.rows.flatMap(({ studentId, flag, comment }) => given(id, studentId, { 'Flag of the grade': flag, Comment: comment && CHANGED })),
  },
  ResultsDecided: {
    says: ({ id, data }) => [`decided the results of ${count(data.rows.length, 'student')} by hand in `, things('task', id)],
    changes: ({ id, data }) =>
      data.rows.flatMap((row) => [...decisionOf(id, row), ...given(id, row.studentId, { 'Grade by hand': wordsOrNone(row.grade) })]),
  },
  FeedbackTaskCompleted: {
    says: ({ id, data: { without, contested } }) => [
      'completed the feedback task ',
      things('task', id),
      ...withoutChecks(without),
      ...(contested ? [`, leaving ${count(contested.totals.length, 'total')} contested`] : []),
    ],
    changes: ({ id, data: { without, contested } }) => [
      ...reasonsOf(id, without),
      ...(contested
        ? changesOf('task', id, { 'Reason for leaving totals contested': words(typed(contested.about, ({ reason }) => reason)) })
        : []),
    ],
  },
  TeachersReminded: {
    says: ({ id, data: { check, setIds, accountIds } }) => [
      'reminded ',
      things('account', ...accountIds),
      ` to check the ${check} of `,
      things('class', ...setIds),
      ' in ',
      things('task', id),
    ],
  },
};

/** What a comment says is never said here. */
const CHANGED = words('changed');

const mapsOf = (taskId: string, maps: readonly TaskMap[]): readonly Change[] => {
  const sets = setsOf({ maps });
  const testsOf = (setId: string) => maps.filter((map) => map.setId === setId).map(({ testId }) => testId);
  return [
    ...changesOf('task', taskId, { Classes: things('class', ...sets) }),
    ...sets.flatMap((setId) =>
      changesOf('class', setId, { Assessments: things('assessment', ...testsOf(setId)) }, { kind: 'task', id: taskId }),
    ),
  ];
};

/** What an event says of a student in a task; undefined: it does not say. */
const given = (taskId: string, studentId: string, values: Readonly<Record<string, ChangeValue | undefined>>): readonly Change[] =>
  Object.entries(values).flatMap(([field, value]) =>
    value === undefined ? [] : changesOf('student', studentId, { [field]: value }, { kind: 'task', id: taskId }),
  );

type Ranked = { readonly studentId: string; readonly ranking: number | null; readonly score: number | null };

const resultOf = (taskId: string, { studentId, ranking, score }: Ranked): readonly Change[] =>
  given(taskId, studentId, { Ranking: ranking, Score: rounded(score) });

/** null: it is as it was computed. */
const decisionOf = (taskId: string, { studentId, ranking, score, exempt }: Ranked & { readonly exempt: boolean }): readonly Change[] =>
  given(taskId, studentId, { 'Ranking by hand': ranking, 'Score by hand': rounded(score), Exempt: exempt });

/** As screens show it. */
const rounded = (score: number | null): number | null => (score === null ? null : Number(score.toFixed(2)));

const flagging = (rows: readonly { readonly flag: boolean }[]): string => {
  const flagged = rows.filter(({ flag }) => flag).length;
  return flagged === 0 ? '' : `, flagging ${count(flagged, 'student')}`;
};

type Without = readonly { readonly setId: string; readonly about: Sealed<{ readonly reason: string }> }[];

const withoutChecks = (without: Without): readonly Part[] =>
  without.length === 0 ? [] : [' without waiting for the check of ', things('class', ...without.map(({ setId }) => setId))];

const reasonsOf = (taskId: string, without: Without): readonly Change[] =>
  without.flatMap(({ setId, about }) =>
    changesOf(
      'class',
      setId,
      { 'Reason for not waiting for its check': words(typed(about, ({ reason }) => reason)) },
      { kind: 'task', id: taskId },
    ),
  );
