import { expect, test } from 'vitest';
import { parseResults } from '../../../api/marks/upload/results-file.contract.ts';
import { csvText } from '../../../api/contract/csv/write.ts';
import type { ExportTable } from '../../../api/marks/export.contract.ts';
import type { Mapped, Mappings } from '../../../api/assessments/mapping/mapping.contract.ts';
import type { Client } from '../../support/client.ts';
import { marksIn } from '../../support/marks.ts';
import { rest } from '../../support/rest.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');

const mappings = (client: Client): Promise<Mappings> => client.ask('mappings', { subjectId: school.ids.maths });
const treeOf = (paths: readonly string[][]) => ({ subjectId: school.ids.maths, title: 'Mathematics', paths });

test('what is bound to a topic tree is shown, is gone with its topic, and is back with it', async () => {
  const { maths: subjectId, schemeTopic: schemeTopicId, questions } = school.ids;
  const [questionId = ''] = questions;
  expect((await mappings(admin)).tree).toBeNull();
  await admin.done('ReplaceTopicTree', treeOf([['Number', 'Fractions'], ['Number', 'Decimals'], ['Algebra']]));
  const { tree } = await mappings(admin);
  expect(tree?.topics.map(({ name }) => name)).toEqual(['Number', 'Fractions', 'Decimals', 'Algebra']);
  const [number, fractions] = tree?.topics ?? [];
  expect(fractions?.parentId).toBe(number?.topicId);

  // The leader of the subject binds, from the same stepper.
  await leader.done('MapSchemeTopics', { subjectId, changes: [{ schemeTopicId, topicIds: [fractions?.topicId], was: [] }] });
  await leader.done('MapQuestions', { subjectId, changes: [{ questionId, topicIds: [number?.topicId], was: [] }] });
  await leader.done('AllocatePrerequisites', { subjectId, changes: [{ schemeTopicId, questionIds: [questions[1]], was: [] }] });
  const bound = await mappings(leader);
  expect(bound.schemes).toMatchObject([{ topics: [{ name: 'Algebra', topicIds: [fractions?.topicId], questionIds: [questions[1]] }] }]);
  expect(bound.tests.find(({ name }) => name === 'Mock')?.questions.map(({ topicIds }) => topicIds)).toEqual([[number?.topicId], [], []]);
  const { schemeTopicIds, questionIds } = await admin.ask<Mapped>('mapped', { subjectId });
  expect({ schemeTopicIds, questionIds: questionIds.toSorted() }).toEqual({
    schemeTopicIds: [schemeTopicId],
    questionIds: questions.slice(0, 2).toSorted(),
  });

  await admin.done('ReplaceTopicTree', treeOf([['Number']]));
  expect((await mappings(admin)).schemes[0]?.topics[0]?.topicIds).toEqual([]);
  await admin.done('ReplaceTopicTree', treeOf([['Number', 'Fractions']]));
  expect((await mappings(admin)).schemes[0]?.topics[0]?.topicIds).toEqual([fractions?.topicId]);
});

test('two who allocate at the same time both hear of it', async () => {
  const { maths: subjectId, schemeTopic: schemeTopicId, questions } = school.ids;
  const change = (was: readonly string[], questionIds: readonly string[]) => ({
    subjectId,
    changes: [{ schemeTopicId, questionIds, was }],
  });
  const { questionIds = [] } = (await mappings(admin)).schemes[0]?.topics[0] ?? {};
  await leader.done('AllocatePrerequisites', change(questionIds, questions));
  const late = await admin.command('AllocatePrerequisites', change(questionIds, []));
  expect([late.status, late.body.title]).toEqual([
    409,
    'Somebody else has changed this allocation meanwhile. Reload to see it, then save yours again.',
  ]);
});

test('students and results are exported by the columns in which they could be uploaded', async () => {
  const { year: yearGroupId, mock: testId, setA, maths: subjectId } = school.ids;
  const students = await admin.ask<ExportTable>('export-students', { yearGroupId });
  expect(students.columns).toEqual(['StudentID', 'Name', 'Set', 'DoB']);
  expect(students.rows).toHaveLength(12);
  expect(students.rows[0]).toEqual(['00A1', 'A1, Student', '11A', '01/05/2009']);

  const empty = await admin.ask<ExportTable>('export-results', { testId });
  expect([empty.title, empty.rows]).toEqual(['Mock', []]);
  await admin.done('UploadMarks', {
    subjectId,
    testId,
    setIds: [setA],
    rows: [{ admissionNo: '00A2', name: 'A2, Student', marks: [4, null, 0] }],
    fileName: 'marks.csv',
  });
  const results = await admin.ask<ExportTable>('export-results', { testId });
  expect(results.rows).toEqual([['00A2', 'A2, Student', 4, null, 0]]);
  // Who is removed from the subject takes the results along, and brings them back.
  const { commandId } = await admin.done<{ commandId: string }>('ChangeStudents', {
    subjectId,
    changes: [{ studentId: school.ids.students['A2'], place: 'removed' }],
  });
  expect((await admin.ask<ExportTable>('export-results', { testId })).rows).toEqual([]);
  await admin.done('UndoRosterChange', { subjectId, commandId });
  expect((await admin.ask<ExportTable>('export-results', { testId })).rows).toEqual(results.rows);
  const bytes = Buffer.from(csvText(results.columns, results.rows));
  expect(parseResults({ name: 'data_download.csv', type: 'text/csv', bytes })).toMatchObject({
    ok: true,
    rows: [{ admissionNo: '00A2', name: 'A2, Student', marks: [4, null, 0] }],
  });

  // What a student has confirmed counts where staff have entered nothing, and not where the student was absent.
  await admin.done('ShowAssessment', { testId, visible: true });
  await (
    await school.as('student')
  ).done('SubmitFeedback', { testId, marks: school.ids.questions.map((questionId) => ({ questionId, mark: 3 })) });
  const { enter } = marksIn(() => school);
  const typed = (cell: object) => enter(admin, [{ studentId: school.ids.students['A1'], testId, ...cell }]);
  await typed({ questionId: school.ids.questions[1], is: 7 });
  expect((await admin.ask<ExportTable>('export-results', { testId })).rows[0]).toEqual(['00A1', 'A1, Student', 3, 7, 3]);
  await typed({ attendance: true, is: 'absent' });
  expect((await admin.ask<ExportTable>('export-results', { testId })).rows).toEqual([['00A2', 'A2, Student', 4, null, 0]]);
});

test('terminal exams are a list of the admin app: added, refused at their fields, removed and restored', async () => {
  const { maths: subjectId, science, terminalExam } = school.ids;
  const listed = async (id: string) =>
    (await rest(admin, 'GET', `terminalExams?filter=${JSON.stringify({ subjectId: id })}&sort=["yearSat","ASC"]`)).body;
  const added = await rest(admin, 'POST', 'terminalExams', { subjectId, name: 'Key Stage 2', yearSat: 6 });
  expect([added.status, added.body]).toMatchObject([201, { name: 'Key Stage 2', yearSat: 6, subjectId }]);
  expect((await listed(subjectId)).map(({ name }) => name)).toEqual(['Key Stage 2', 'GCSE']);
  expect(await listed(science)).toEqual([]);
  const refused = await rest(admin, 'POST', 'terminalExams', { subjectId, name: ' ', yearSat: 0 });
  expect([refused.status, refused.problem.errors]).toEqual([422, { name: 'Required.', yearSat: 'The value must be greater than zero' }]);
  expect((await rest(admin, 'DELETE', `terminalExams/${terminalExam}`)).status).toBe(200);
  expect((await listed(subjectId)).map(({ name }) => name)).toEqual(['Key Stage 2']);
  await admin.done('RestoreTerminalExam', { subjectId, terminalExamId: terminalExam });
  expect(await listed(subjectId)).toHaveLength(2);
  expect((await rest(leader, 'GET', 'terminalExams')).status).toBe(403);
});
