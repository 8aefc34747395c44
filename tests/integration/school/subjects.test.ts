import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { SubmissionPage } from '../../../api/marks/submissions/submissions.contract.ts';
import { roles } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { rest } from '../../support/rest.ts';

const { school, admin } = await schoolOfFile('admin');

const add = async (name: string): Promise<{ id: string; version: string }> =>
  (await rest(admin, 'POST', 'subjects', { name })).body as never;

describe('a list', () => {
  test('is paged, sorted and filtered by the server, and says how many there are', async () => {
    const sorted = await rest(admin, 'GET', 'subjects?sort=["name","DESC"]&range=[0,0]&filter={}');
    expect([sorted.body[0]?.['name'], sorted.headers.get('Content-Range')]).toEqual(['Science', 'subjects 0-0/2']);
    const second = await rest(admin, 'GET', 'subjects?sort=["name","DESC"]&range=[1,1]');
    expect([second.body[0]?.['name'], second.headers.get('Content-Range')]).toEqual(['Mathematics', 'subjects 1-1/2']);
    const found = await rest(admin, 'GET', `subjects?filter=${JSON.stringify({ q: 'sci' })}`);
    expect(found.body.map((one) => one['name'])).toEqual(['Science']);
    const none = await rest(admin, 'GET', `subjects?filter=${JSON.stringify({ q: '%' })}`);
    expect([none.body, none.headers.get('Content-Range')]).toEqual([[], 'subjects */0']);
  });

  test('is had by ids', async () => {
    const { body } = await rest(admin, 'GET', `subjects?filter=${JSON.stringify({ id: [school.ids.maths, randomUUID()] })}`);
    expect(body).toMatchObject([{ id: school.ids.maths, name: 'Mathematics', sets: 3, students: 12, offRoll: 0, assessments: 3 }]);
  });

  test.each([
    ['filter={"password":"x"}', 'filter.password'],
    ['filter={"id":"1 or 1=1"}', 'filter.id'],
    ['filter=nonsense', 'filter'],
    ['sort=["secret","ASC"]', 'sort'],
    ['sort=["name","ASC; drop table subjects"]', 'sort'],
    ['range=[0,1000000]', 'range'],
    ['range=[3000000000,3000000001]', 'range'],
    ['fields=name', 'fields'],
  ])('refuses %s', async (query, path) => {
    const { status, problem } = await rest(admin, 'GET', `subjects?${query}`);
    expect([status, Object.keys(problem.errors)]).toEqual([422, [path]]);
  });

  test('is shown to those who may see it, of their own school', async () => {
    for (const role of roles) {
      const { status } = await rest(await school.as(role), 'GET', 'subjects');
      expect([role, status]).toEqual([role, role === 'admin' || role === 'auditor' ? 200 : 403]);
    }
    const neighbour = await school.neighbour();
    const other = await rest(await neighbour.as('admin'), 'GET', 'subjects');
    expect(other.body.map(({ id }) => id)).not.toContain(school.ids.maths);
    expect((await rest(await neighbour.as('admin'), 'GET', `subjects/${school.ids.maths}`)).status).toBe(404);
    expect((await rest(await neighbour.as('admin'), 'PUT', `subjects/${school.ids.maths}`, { name: 'Mine' })).status).toBe(404);
  });

  test('is there only for resources that exist', async () => {
    expect((await rest(admin, 'GET', 'passwords')).status).toBe(404);
    expect((await rest(admin, 'GET', 'subjects/nonsense')).status).toBe(404);
    expect((await rest(admin, 'GET', `subjects/${randomUUID()}`)).status).toBe(404);
  });
});

describe('a write', () => {
  test('answers the record as it stands after it, and is done once under one key', async () => {
    const key = randomUUID();
    const made = await rest(admin, 'POST', 'subjects', { name: ' Art ' }, { 'Idempotency-Key': key });
    expect([made.status, made.body]).toMatchObject([201, { name: 'Art', sets: 0 }]);
    const again = await rest(admin, 'POST', 'subjects', { name: ' Art ' }, { 'Idempotency-Key': key });
    expect(again.body).toEqual(made.body);
    const { id } = made.body as never as { id: string };
    const renamed = await rest(admin, 'PUT', `subjects/${id}`, { ...made.body, name: 'Fine Art' });
    expect([renamed.status, renamed.body]).toMatchObject([200, { id, name: 'Fine Art' }]);
    expect(BigInt(renamed.headers.get('X-Position') ?? 0)).toBeGreaterThan(0n);
  });

  test('that is refused names the field, as a form of react-admin reads it', async () => {
    const { status, problem } = await rest(admin, 'POST', 'subjects', { name: 'mathematics' });
    expect([status, problem.message, problem.errors]).toEqual([
      422,
      'Subject name needs to be unique',
      { name: 'Subject name needs to be unique' },
    ]);
    expect((await rest(admin, 'POST', 'subjects', { name: ' ' })).problem.errors).toEqual({ name: 'Required.' });
    expect((await rest(admin, 'POST', 'subjects', { name: 'A\0' })).status).toBe(422);
    expect((await rest(admin, 'POST', 'subjects', [])).status).toBe(422);
  });

  test('over something that somebody else has changed meanwhile is refused, and the same write sent again is not', async () => {
    const { id, version } = await add('Latin');
    const mine = { 'If-Match': `"${version}"`, 'Idempotency-Key': randomUUID() };
    expect((await rest(admin, 'PUT', `subjects/${id}`, { name: 'Latin A' }, mine)).status).toBe(200);
    expect((await rest(admin, 'PUT', `subjects/${id}`, { name: 'Latin A' }, mine)).status).toBe(200);
    const late = await rest(admin, 'PUT', `subjects/${id}`, { name: 'Latin B' }, { 'If-Match': `"${version}"` });
    expect([late.status, late.problem.code]).toEqual([412, 'precondition-failed']);
    expect((await rest(admin, 'GET', `subjects/${id}`)).body).toMatchObject({ name: 'Latin A' });
    // Whatever it is now, as long as there is one.
    expect((await rest(admin, 'PUT', `subjects/${id}`, { name: 'Latin' }, { 'If-Match': '*' })).status).toBe(200);
  });

  test('is for those who may: nobody else changes anything', async () => {
    for (const role of roles.filter((one) => one !== 'admin')) {
      const client = await school.as(role);
      expect((await rest(client, 'PUT', `subjects/${school.ids.maths}`, { name: 'Mine' })).status).toBe(403);
      expect((await rest(client, 'POST', 'subjects', { name: 'Mine' })).status).toBe(403);
    }
  });
});

test('a subject is removed with all that it holds, marks as well, and restored; how much that is is told before', async () => {
  const { id } = await add('Music');
  await admin.done('AddYearGroup', { subjectId: id, year: 7 });
  expect((await rest(admin, 'DELETE', `subjects/${id}`)).status).toBe(200);
  expect((await rest(admin, 'GET', `subjects/${id}`)).status).toBe(404);
  expect((await admin.query('structure', { subjectId: id })).status).toBe(404);
  expect((await admin.ask<{ subjects: { subjectId: string }[] }>('me')).subjects.map(({ subjectId }) => subjectId)).not.toContain(id);
  await admin.done('RestoreSubject', { subjectId: id });
  expect((await rest(admin, 'GET', `subjects/${id}`)).body).toMatchObject({ name: 'Music', yearGroups: 1 });

  await admin.done('UploadTotals', {
    subjectId: school.ids.maths,
    classes: [{ setId: school.ids.setA, testIds: [school.ids.mock] }],
    rows: [{ admissionNo: '00A1', name: 'A1, Student', totals: [5] }],
    fileName: 'totals.csv',
  });
  const { maths: subjectId, year: yearGroupId } = school.ids;
  const before = (await rest(admin, 'GET', `subjects/${subjectId}`)).body;
  expect(before).toMatchObject({ marks: 1 });
  const book = await admin.ask('markbook', { yearGroupId });
  expect((await rest(admin, 'DELETE', `subjects/${subjectId}`)).status).toBe(200);
  expect((await admin.query('markbook', { yearGroupId })).status).toBe(404);
  const teacher = await school.as('teacherA');
  expect(await teacher.ask('me')).toMatchObject({ subjects: [], removedSubjects: ['Mathematics'] });
  expect((await rest(admin, 'GET', 'deleted?filter={"kind":"subject"}')).body).toMatchObject([{ name: 'Mathematics' }]);
  await admin.done('RestoreSubject', { subjectId });
  expect((await rest(admin, 'GET', `subjects/${subjectId}`)).body).toEqual(before);
  expect(await admin.ask('markbook', { yearGroupId })).toEqual(book);
  expect(await teacher.ask('me')).not.toHaveProperty('removedSubjects');
});

test('a subject that is removed is gone for its students as well, with the marks that they would enter, and comes back', async () => {
  const { id: subjectId } = await add('Greek');
  const { schemeId } = await admin.done('AddScheme', { subjectId, name: 'Greek' });
  const { yearGroupId } = await admin.done('AddYearGroup', { subjectId, year: 11 });
  const { setId } = await admin.done('AddSet', { subjectId, yearGroupId, name: '11G', schemeId });
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name: 'Vocabulary' });
  await admin.done('UploadQuestions', { testId, questions: [{ number: 1, topic: 'Vocabulary', marksAvailable: 5 }] });
  await admin.done('ChangeSet', { subjectId, setId, testIds: [testId] });
  await admin.done('ShowAssessment', { testId, visible: true });
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: school.ids.students['A1'], place: { setId } }] });
  const student = await school.as('student');
  const [question] = (await student.ask<SubmissionPage>('submission', { testId })).questions;
  const marks = [{ questionId: question!.questionId, mark: 1 }];
  const subjects = async () => (await student.ask<Me>('me')).subjects.map(({ name }) => name);
  expect(await subjects()).toEqual(['Greek', 'Mathematics', 'Science']);

  await admin.done('RemoveSubject', { subjectId });
  expect(await subjects()).toEqual(['Mathematics', 'Science']);
  for (const name of ['SaveFeedback', 'SubmitFeedback'] as const)
    expect((await student.command(name, { testId, marks })).body.title).toBe(
      'This assessment is not open to you: your teacher may have closed it.',
    );
  await admin.done('RestoreSubject', { subjectId });
  expect(await subjects()).toContain('Greek');
  await student.done('SaveFeedback', { testId, marks });
});

test('what a new subject still lacks before its first marks is told truly', async () => {
  const { id: subjectId } = await add('Dance');
  const first = async (): Promise<object> => {
    const { body } = await rest(admin, 'GET', `subjects/${subjectId}`);
    const { schemesWithTopics, assessmentsWithQuestions, setsWithAssessments, teachersWithClasses, marks } = body as unknown as Record<
      string,
      boolean | number
    >;
    return { schemesWithTopics, assessmentsWithQuestions, setsWithAssessments, teachersWithClasses, marks };
  };
  const nothing = {
    schemesWithTopics: false,
    assessmentsWithQuestions: false,
    setsWithAssessments: false,
    teachersWithClasses: false,
    marks: 0,
  };
  const { schemeId } = await admin.done<{ schemeId: string }>('AddScheme', { subjectId, name: 'Steps' });
  const { testId } = await admin.done<{ testId: string }>('CreateAssessment', { subjectId, name: 'First steps' });
  const { yearGroupId } = await admin.done<{ yearGroupId: string }>('AddYearGroup', { subjectId, year: 7 });
  const { teacherId } = await admin.done<{ teacherId: string }>('AddTeacher', { subjectId, name: 'Ada' });
  const sets = { subjectId, yearGroupId, names: ['7D1', '7D2'], schemeId, testIds: [testId] };
  const { setIds } = await admin.done<{ setIds: string[] }>('AddSets', sets);
  expect(await first()).toEqual(nothing);

  // A scheme with topics, questions on a paper that sets sit, a teacher with a class.
  await admin.done('ChangeScheme', { schemeId, name: 'Steps', topics: [{ name: 'Turns' }] });
  await admin.done('UploadQuestions', { testId, questions: [{ number: 1, topic: 'Turns', marksAvailable: 2 }] });
  await admin.done('ChangeTeacher', { subjectId, teacherId, setIds: setIds.slice(0, 1) });
  const allButMarks = { schemesWithTopics: true, assessmentsWithQuestions: true, setsWithAssessments: true, teachersWithClasses: true };
  expect(await first()).toEqual({ ...nothing, ...allButMarks });

  // What is deleted does not count.
  await admin.done('DeleteAssessment', { testId });
  await admin.done('DeleteSet', { subjectId, setId: setIds[0] });
  expect(await first()).toEqual({ ...nothing, schemesWithTopics: true });
});
