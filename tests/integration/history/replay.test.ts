import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { History } from '../../../api/history/history.contract.ts';
import type { Replay } from '../../../api/history/replay/replay.contract.ts';
import { markbookOf, stateAfter, stepsUntil } from '../../../api/history/replay/replay.formula.ts';
import { whatIf } from '../../../api/history/replay/what-if.formula.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import { atWork, patient } from '../../support/as-of-work.ts';
import { moment } from '../../support/as-of.ts';
import { random } from '../../support/random.ts';
import { taskAt } from '../../support/samples.ts';
import type { School } from '../../support/school.ts';
import { openSchool } from '../../support/school.ts';
import { enoughPrior } from '../../support/enough-prior.ts';

const school = await openSchool();
afterAll(async () => {
  await school.close();
});

/** What the replay holds of a markbook. Names are those of today, priors and residuals are not in it. */
const held = ({ sets, tests, students }: Markbook) => ({
  sets: sets.map(({ setId, name }) => `${setId} ${name}`).toSorted(),
  tests: tests.map(({ mean, sd, ...test }) => ({ ...test, mean: mean?.toFixed(6), sd: sd?.toFixed(6) })),
  students: new Map(
    students.map(({ studentId, setId, ranking, score, grade, totals }) => [studentId, { setId, ranking, score, grade, totals }]),
  ),
});

/** What is not among `atWork`: papers, attendance, and what makes columns. */
const structureAtWork = async ({ as, ids }: School, { one, chance }: ReturnType<typeof random>) => {
  const admin = await as('admin');
  const teacher = await as('teacherA');
  const acts = [
    () => admin.done('ChangeSet', { subjectId: ids.maths, setId: ids.setA, testIds: chance(0.5) ? [ids.mock] : [ids.mock, ids.unready] }),
    // Both are refused where they would change nothing, or lower a maximum below a mark.
    () => admin.command(chance(0.5) ? 'DeleteAssessment' : 'RestoreAssessment', { testId: ids.other }),
    () =>
      admin.command('EditQuestions', {
        testId: ids.mock,
        questions: ids.questions
          .slice(0, chance(0.5) ? 2 : 3)
          .map((questionId) => ({ questionId, topic: 'Any', marksAvailable: one([1, 4, 10]) })),
      }),
    () =>
      teacher.done('EnterMarks', {
        entryId: randomUUID(),
        subjectId: ids.maths,
        seq: 1,
        cells: [{ studentId: ids.students['A2'], testId: ids.mock, attendance: true, is: one(['sat', 'absent', 'exempt']) }],
      }),
  ];
  return () => one(acts)();
};

/** A ranking of the assessment that nobody else works on, with grades. */
const graded = async (): Promise<void> => {
  const { maths: subjectId, year: yearGroupId, setA: setId, other } = school.ids;
  const admin = await school.as('admin');
  await admin.command('RestoreAssessment', { testId: other });
  await admin.done('UploadTotals', {
    subjectId,
    classes: [{ setId, testIds: [other] }],
    rows: [{ admissionNo: '00A4', name: 'A4, Student', totals: [14] }],
    fileName: 'task.csv',
  });
  const grades = [
    { label: '9', percent: 40 },
    { label: '8', percent: 60 },
  ];
  const { gradeProfileId = '' } = await admin.done('CreateGradeProfile', { subjectId, yearGroupId, name: randomUUID(), grades });
  await taskAt(school, 'graded', { ...(await enoughPrior(school)), gradeProfileId });
};

test('a replay shows at each moment what the markbook showed then', async () => {
  const chances = random(5);
  const people = await atWork(school, chances);
  const structure = await structureAtWork(school, chances);
  const leader = await school.as('leader');
  const input = { yearGroupId: school.ids.year };
  const moments: string[] = [];
  for (let round = 0; round < 45; round++) {
    await (chances.chance(0.75) ? people() : structure());
    if (round === 12) await graded();
    if (chances.chance(0.3)) moments.push(await moment());
  }
  expect(moments.length).toBeGreaterThan(5);
  const replay = await leader.ask<Replay>('replay', input);
  for (const asOf of moments) {
    const { body } = await patient(() => leader.query('markbook', input, { asOf }));
    const shown = markbookOf(replay, stateAfter(replay, stepsUntil(replay.steps, asOf)));
    expect({ asOf, ...held(shown) }).toEqual({ asOf, ...held(body as unknown as Markbook) });
  }
  // From its own tests and totals every ranking is the one that was made.
  const ranked = replay.steps.flatMap(({ type }, index) => (type === 'TaskRanked' ? index + 1 : []));
  for (const state of ranked.map((count) => stateAfter(replay, count))) {
    const rows = state.ranking ? whatIf(replay, state, state.ranking, { tests: state.ranking.tests.map(([at]) => at), shares: [] }) : [];
    expect(rows.map(({ after }) => after)).toEqual(rows.map(({ before }) => before));
  }
  expect(replay.steps.map(({ type }) => type)).toEqual(expect.arrayContaining(CHANGES));
});

const CHANGES = ['TotalsUploaded', 'MarksEntered', 'CommandUndone', 'CommandRedone', 'QuestionsEdited', 'StudentMoved', 'GradesAssigned'];

test('who replays is in the record', async () => {
  const [teacher, auditor] = [await school.as('teacherB'), await school.as('auditor')];
  await teacher.ask<Replay>('replay', { yearGroupId: school.ids.year });
  const { backend } = school;
  await backend.progress.waitFor(['record'], await backend.store.head(), 30_000);
  const { events } = await auditor.ask<History>('history', { type: 'DataHandedOut', by: school.accounts.teacherB });
  const said = events.map(({ sentence }) => sentence.map(({ text }) => text).join(''));
  expect(new Set(said)).toEqual(new Set(['looked at the replay of Year 11 in Mathematics']));
});
