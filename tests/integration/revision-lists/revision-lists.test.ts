import { beforeAll, expect, test } from 'vitest';
import type { History } from '../../../api/history/history.contract.ts';
import type { RevisionList, RevisionListsPage } from '../../../api/revision-lists/revision-lists.contract.ts';
import type { Client } from '../../support/client.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, teacherB: teacher, student } = await schoolOfFile('admin', 'leader', 'teacherB', 'student');
beforeAll(async () => {
  await admin.done('ShowAssessment', { testId: school.ids.mock, visible: true });
});

const about = () => ({ subjectId: school.ids.maths, testId: school.ids.mock });
const page = (client: Client): Promise<RevisionListsPage> => client.ask('revision-lists', about());
/** 'Algebra 99: 1 Surds, 2' */
const shown = async (client: Client): Promise<readonly string[]> => {
  const { headers, test: paper } = await page(client);
  return headers.map(({ headerId, name, num }) => {
    const under = (paper?.questions ?? []).filter((one) => one.headerId === headerId);
    return [`${name} ${num}:`, under.map(({ number, text }) => (text === null ? number : `${number} ${text}`)).join(', ')].join(' ').trim();
  });
};
const listed = async (client: Client): Promise<readonly string[]> => {
  const { headers } = await client.ask<RevisionList>('revision-list', { testId: school.ids.mock });
  return headers.map(({ name, questions }) => `${name}: ${questions.map(({ topic, text }) => text ?? topic).join(', ')}`);
};
const add = async (client: Client, name: string): Promise<string> =>
  (await client.done('AddRevisionHeader', { subjectId: school.ids.maths, name }))['headerId'] ?? '';

test('a list is made, ordered, handed to students, and undone step by step', async () => {
  const { maths: subjectId, mock: testId, questions } = school.ids;
  const [q1, q2, q3] = questions;
  const algebra = await add(leader, 'Algebra');
  const number = await add(teacher, 'Number');
  const put = (questionId: string | undefined, headerId: string | null, text: string | null = null) => ({ questionId, headerId, text });
  await leader.done('SaveRevisionList', { ...about(), questions: [put(q1, algebra, 'Surds'), put(q3, algebra)] });
  const second = await teacher.done('SaveRevisionList', {
    ...about(),
    questions: [{ ...put(q2, number), was: { headerId: null, text: null } }],
  });
  expect(await shown(admin)).toEqual(['Algebra 99: 1 Surds, 3', 'Number 99: 2']);
  const order = await teacher.done('OrderRevisionHeaders', { subjectId, headerIds: [number, algebra] });
  expect(await shown(leader)).toEqual(['Number 1: 2', 'Algebra 2: 1 Surds, 3']);
  expect(await listed(student)).toEqual(['Number: Topic 2', 'Algebra: Surds, Topic 3']);
  const tests = (await page(leader)).tests.find((one) => one.testId === testId);
  expect([tests?.questions, tests?.listed]).toEqual([3, 3]);

  const gone = await leader.done('DeleteRevisionHeader', { subjectId, headerId: algebra, was: 2 });
  expect(await shown(leader)).toEqual(['Number 1: 2']);
  expect((await page(leader)).deleted).toMatchObject([{ name: 'Algebra', questions: 2 }]);
  await leader.done('UndoRevisionChange', { subjectId, commandId: gone['commandId'] });
  await leader.done('UndoRevisionChange', { subjectId, commandId: order['commandId'] });
  expect(await shown(leader)).toEqual(['Algebra 99: 1 Surds, 3', 'Number 99: 2']);
  await teacher.done('UndoRevisionChange', { subjectId, commandId: second['commandId'] });
  expect(await shown(leader)).toEqual(['Algebra 99: 1 Surds, 3', 'Number 99:']);
  await teacher.done('RedoRevisionChange', { subjectId, commandId: second['commandId'] });
  const cleared = await teacher.done('ClearRevisionList', about());
  expect(await shown(leader)).toEqual(['Algebra 99:', 'Number 99:']);
  expect(await listed(student)).toEqual([]);
  await teacher.done('UndoRevisionChange', { subjectId, commandId: cleared['commandId'] });
  expect(await listed(student)).toEqual(['Algebra: Surds, Topic 3', 'Number: Topic 2']);
});

test('the history of the subject tells who changed a list', async () => {
  const { events } = await admin.ask<History>('history', { subjectId: school.ids.maths, type: 'RevisionListSaved' });
  expect(events.map(({ by }) => by?.role)).toEqual(['teacher', 'leader']);
});

test('a question that leaves the paper leaves the list and returns with it, as its assessment does', async () => {
  const { mock: testId, questions } = school.ids;
  const paper = questions.map((questionId, index) => ({ questionId, topic: `Topic ${index + 1}`, marksAvailable: [5, 10, 5][index] }));
  await admin.done('EditQuestions', { testId, questions: paper.slice(0, 1) });
  expect(await listed(teacher)).toEqual(['Algebra: Surds']);
  await admin.done('EditQuestions', { testId, questions: paper });
  expect(await listed(teacher)).toEqual(['Algebra: Surds, Topic 3', 'Number: Topic 2']);
  await admin.done('DeleteAssessment', { testId });
  expect((await teacher.command('SaveRevisionList', { ...about(), questions: [] })).status).toBe(404);
  await expect(listed(teacher)).rejects.toThrow();
  await admin.done('RestoreAssessment', { testId });
  expect(await listed(teacher)).toEqual(['Algebra: Surds, Topic 3', 'Number: Topic 2']);
  expect((await page(teacher)).headers.map(({ name }) => name)).toEqual(['Algebra', 'Number']);
});

test('topics of the scheme of work are suggested for questions that are mapped to them, by hand first', async () => {
  const { maths: subjectId, schemeTopic: schemeTopicId, questions } = school.ids;
  const suggested = async () => (await page(leader)).test?.questions.map((one) => one.suggested);
  expect(await suggested()).toEqual([null, null, null]);
  await leader.done('AllocatePrerequisites', { subjectId, changes: [{ schemeTopicId, questionIds: [questions[1]] }] });
  expect(await suggested()).toEqual([null, 'Algebra', null]);
});

test('students see the lists of what they sit, and only when it is shown to them', async () => {
  const { mock: testId } = school.ids;
  await admin.done('ShowAssessment', { testId, visible: false });
  await expect(listed(student)).rejects.toThrow();
  await admin.done('ShowAssessment', { testId, visible: true });
  expect(await listed(student)).toEqual(['Algebra: Surds, Topic 3', 'Number: Topic 2']);
  await expect(student.ask('revision-list', { testId: school.ids.forces })).rejects.toThrow();
});
