import { beforeAll, expect, test } from 'vitest';
import type { OfAll, QuestionOfAll } from '../../../api/analysis/all-students.facts.ts';
import { allStudents } from '../../../api/analysis/all-students.facts.ts';
import { sittingsOfTests } from '../../../api/analysis/sittings.facts.ts';
import type { RunSql } from '../../../api/common/facts.ts';
import { Client } from '../../support/client.ts';
import { marksIn } from '../../support/marks.ts';
import { expectMarksAsInLog } from '../../support/marks-in-log.ts';
import { random } from '../../support/random.ts';
import { PASSWORD } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

/** The figures of all students, which come from what is kept of each question, are the sums over each student's marks. */
const { school, admin, leader, teacherA, student: A1 } = await schoolOfFile('admin', 'leader', 'teacherA', 'student');
const { shownTest, enter } = marksIn(() => school);
const A2 = new Client(school);
beforeAll(async () => {
  const email = 'a2@all-students.example';
  await admin.done('OpenStudentAccount', { studentId: school.ids.students['A2'], name: 'A2', email, password: PASSWORD });
  await A2.signIn(email, PASSWORD);
});

const MAX = 4;

/** Added up here, student by student. A question without any mark is not there. */
const addedUp = async (query: RunSql, testId: string): Promise<OfAll['questions']> => {
  const { papers, sittings } = await sittingsOfTests(query, [testId]);
  const sat = (sittings.get(testId) ?? []).filter(({ marks }) => marks.some((mark) => mark !== null));
  return new Map(
    (papers.get(testId)?.questions ?? []).flatMap(({ questionId, max }, place): [string, QuestionOfAll][] => {
      const marks = sat.flatMap((one) => one.marks[place] ?? []);
      if (marks.length === 0) return [];
      const sum = marks.reduce((all, mark) => all + mark, 0);
      const squares = marks.reduce((all, mark) => all + mark * mark, 0);
      const contested = sat.filter((one) => one.contested.includes(place)).length;
      return [[questionId, { questionId, sum, squares, contested, aboveMaximum: marks.filter((mark) => mark > max).length }]];
    }),
  );
};
const expectAddedUp = async (testId: string): Promise<void> => {
  await school.backend.progress.waitFor(['results', 'assessments', 'roster'], await school.backend.store.head(), 30_000);
  const [kept, expected] = await school.backend.readAs(school.schoolId, async (query) => [
    (await allStudents(query, [testId])).get(testId)?.questions,
    await addedUp(query, testId),
  ]);
  expect(kept).toEqual(expected);
};

test.each([1, 2, 3])('whatever staff and students do in whatever order, and without whoever was away or removed (%i)', async (seed) => {
  const { below, one, chance } = random(seed);
  const { testId, questions } = await shownTest();
  const { maths: subjectId, students } = school.ids;
  const saves: { entryId: string; commandId: string | null }[] = [];
  const cellOf = () => ({ testId, studentId: students[one(['A1', 'A2', 'A3', 'A4'])], ...(chance(0.4) && { was: [] }) });
  const acts = [
    async () => {
      const marks = questions.map((questionId) => ({ questionId, mark: below(MAX) }));
      await one([A1, A2]).command('SubmitFeedback', { testId, marks });
    },
    () => teacherA.command('ReopenFeedback', { testId, studentId: students[one(['A1', 'A2'])] }),
    async () => {
      const cells = Array.from({ length: 1 + below(3) }, () => ({
        ...cellOf(),
        questionId: one(questions),
        is: chance(0.2) ? 'cleared' : below(MAX),
      }));
      saves.push(await enter(one([teacherA, leader]), cells));
    },
    async () => saves.push(await enter(teacherA, [{ ...cellOf(), attendance: true, is: one(['sat', 'absent', 'exempt']) }])),
    async () => {
      const save = one(saves);
      if (save?.commandId) await admin.command(one(['UndoCommand', 'RedoCommand']), save);
    },
    () => {
      const kept = questions.slice(below(2)).map((questionId) => ({ questionId, topic: 'Topic', marksAvailable: one([MAX, 2]) }));
      return admin.command('EditQuestions', { testId, questions: kept });
    },
  ];
  saves.push(await enter(teacherA, [{ ...cellOf(), questionId: one(questions), is: 1 }]));
  for (let step = 0; step < 40; step += 1) {
    await one([...acts, acts[2]!, acts[2]!])();
    if (step % 10 === 9) await expectAddedUp(testId);
  }
  await expectMarksAsInLog(school.backend, school.databaseUrl);
  for (const place of ['removed', { setId: school.ids.setA }]) {
    await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['A2'], place }] });
    await expectAddedUp(testId);
  }
});
