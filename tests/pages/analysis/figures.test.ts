import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, teacherA] = [await school.as('leader'), await school.as('teacherA')];
const { maths: subjectId, mock: testId, students, questions } = school.ids;
const enter = (short: string, marks: readonly number[]) =>
  leader.done('EnterMarks', {
    entryId: randomUUID(),
    subjectId,
    seq: 1,
    cells: marks.map((is, place) => ({ studentId: students[short], testId, questionId: questions[place], is })),
  });
await enter('A1', [5, 2, 1]);
await enter('A2', [4, 9, 0]);

test('question figures say on how many students they rest, and compare a class with nobody who is not there', async () => {
  const alone = await open(teacherA, '/teacher?year=11&set=11A');
  await alone.says('Marks of 2 of 4 students. All students with marks are in this class: there is nobody else to compare with.');
  await alone.says('all students with a total are of this class');
  await enter('B1', [1, 1, 1]);
  const few = await open(teacherA, '/teacher?year=11&set=11A');
  await few.says('Below 10 students with marks, no difference from all students is shown.');
  const strengths = await few.part('region', 'Strengths, Mock');
  expect(
    strengths
      .seen()
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Q1 Topic 190.0 %', 'Q2 Topic 255.0 %']);
  const analysis = await open(teacherA, `/teacher/questions?year=11&set=11A&test=${testId}`);
  await analysis.says('marks of 2 of 4 students');
  await analysis.says('Fewer than 10 students of 11A have marks: nothing is compared with the year.');
  expect(analysis.seen().queryByText('Against the year')).toBeNull();
});
