import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandAccess, commandsFromOutside, queryAccess } from '../../api/access.ts';
import type { CommandName } from '../../api/commands.ts';
import type { QueryName } from '../../api/queries.ts';
import type { Client } from '../support/client.ts';
import { rest } from '../support/rest.ts';
import { commandSamples, querySamples, spareParts } from '../support/samples.ts';
import type { RoleName } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school, admin } = await schoolOfFile('admin');
let samples: ReturnType<typeof commandSamples>;
let asking: ReturnType<typeof querySamples>;
beforeAll(async () => {
  const spare = await spareParts(school);
  samples = commandSamples(school, spare);
  asking = querySamples(school, spare);
  await admin.done('OpenStructureToLeaders', { open: true });
});

/** What a command is about; an entry that is not there yet is begun. */
const ABOUT = [
  'subjectId',
  'yearGroupId',
  'setId',
  'schemeId',
  'testId',
  'teacherId',
  'terminalExamId',
  'gradeProfileId',
  'taskId',
  'accountId',
  'studentId',
  'commandId',
];
/** What a field of it chooses. */
const CHOSEN: Partial<Record<CommandName, readonly string[]>> = {
  AddSet: ['schemeId'],
  AddSets: ['schemeId'],
  AddStudent: ['setId'],
  OpenStudentAccount: ['studentId'],
  UploadMarks: ['testId'],
  RankTask: ['terminalExamId'],
  AssignGrades: ['gradeProfileId'],
};
/** An assessment knows the last change of its paper only: any other was changed again since. */
const isOlder = (name: CommandName, field: string): boolean => name === 'UndoQuestions' && field === 'commandId';
/** About the school, its people, or subjects as a whole. */
const ELSEWHERE: ReadonlySet<CommandName> = new Set<CommandName>([
  'RenameSchool',
  'OpenStructureToLeaders',
  'ShowResultsToStudents',
  'ChangeReportWords',
  'OpenStaffAccount',
  'InviteStaff',
  'InviteStaffAgain',
  'ChangeStaffAccount',
  'CloseStaffAccount',
  'ForgetStaffAccount',
  'OpenStudentAccount',
  'ResetStudentAccount',
  'CloseStudentAccount',
  'ForgetStudent',
  'AddSubject',
  'RemoveSubject',
  'RestoreSubject',
]);
const cases = () =>
  commandsFromOutside.flatMap((name) =>
    // Marks that are typed are answered one by one.
    name === 'EnterMarks' || !commandAccess[name].roles.includes('admin')
      ? []
      : ABOUT.filter((field) => field in samples[name] && !isOlder(name, field)).map((field) => ({ name, field })),
  );

describe('a command', () => {
  test('about something that never was is answered so, whatever it wants with it, and changes nothing', async () => {
    const head = await school.backend.store.head();
    expect(cases().length).toBeGreaterThan(60);
    for (const { name, field } of cases()) {
      const answer = await admin.command(name, { ...samples[name], [field]: randomUUID() });
      const expected = CHOSEN[name]?.includes(field) ? '422 invalid-input' : '404 not-found';
      expect([name, field, `${answer.status} ${answer.body.code}`]).toEqual([name, field, expected]);
    }
    for (const [name, body] of [
      ['ChangeStudents', { subjectId: school.ids.maths, changes: [{ studentId: randomUUID(), place: 'removed' }] }],
      ['MapSchemeTopics', { subjectId: school.ids.maths, changes: [{ schemeTopicId: randomUUID(), topicIds: [randomUUID()] }] }],
    ] as const)
      expect([name, (await admin.command(name, body)).status]).toEqual([name, 404]);
    expect(await school.backend.store.head()).toBe(head);
  });

  test('that deletes what was deleted before is done', async () => {
    const { ids } = school;
    const schemeId = (await admin.done('AddScheme', { subjectId: ids.maths, name: 'Gone' }))['schemeId'];
    const testId = (await admin.done('CreateAssessment', { subjectId: ids.maths, name: 'Gone' }))['testId'];
    const setId = (await admin.done('AddSet', { subjectId: ids.maths, yearGroupId: ids.year, name: 'Gone', schemeId: ids.scheme }))[
      'setId'
    ];
    const yearGroupId = (await admin.done('AddYearGroup', { subjectId: ids.maths, year: 1 }))['yearGroupId'];
    const teacherId = (await admin.done('AddTeacher', { subjectId: ids.maths, name: 'Gone' }))['teacherId'];
    const exam = await admin.done('AddTerminalExam', { subjectId: ids.maths, name: 'Gone', yearSat: 1 });
    const subjectId = (await admin.done('AddSubject', { name: 'Gone' }))['subjectId'];
    for (const [name, body] of [
      ['DeleteScheme', { schemeId }],
      ['DeleteAssessment', { testId }],
      ['DeleteSet', { subjectId: ids.maths, setId }],
      ['DeleteYearGroup', { subjectId: ids.maths, yearGroupId }],
      ['RemoveTeacher', { subjectId: ids.maths, teacherId }],
      ['RemoveTerminalExam', { subjectId: ids.maths, terminalExamId: exam['terminalExamId'] }],
      ['RemoveSubject', { subjectId }],
    ] as const) {
      await admin.done(name, body);
      const again = await admin.command(name, body);
      expect([name, again.status, again.body.position]).toEqual([name, 200, null]);
    }
  });

  test('in a subject that was removed finds it gone', async () => {
    const { subjectId = '' } = await admin.done('AddSubject', { name: 'Latin' });
    const { schemeId } = await admin.done('AddScheme', { subjectId, name: 'Latin' });
    const { yearGroupId } = await admin.done('AddYearGroup', { subjectId, year: 9 });
    await admin.done('RemoveSubject', { subjectId });
    for (const [name, body] of [
      ['AddSet', { yearGroupId, name: '9A', schemeId }],
      ['DeleteYearGroup', { yearGroupId }],
      ['AddTeacher', { name: 'Hughes' }],
      ['IssueJoinCode', {}],
      ['ImportStudents', { fileName: '', rows: [{ admissionNo: '1', name: 'Ann', set: '9A', dateOfBirth: null }] }],
    ] as const) {
      const { status, body: said } = await admin.command(name, { subjectId, ...body });
      expect([name, status, said.title]).toEqual([name, 404, 'There is no such subject.']);
    }
    expect((await admin.query('markbook', { yearGroupId })).status).toBe(404);
  });

  test('finds a subject that was removed with its marks gone as well, by whatever id it is sent, and changes nothing until that is back', async () => {
    const subjectId = school.ids.maths;
    const inSubject = commandsFromOutside.filter((name) => commandAccess[name].roles.includes('admin') && !ELSEWHERE.has(name));
    expect(inSubject.length).toBeGreaterThan(60);
    await admin.done('RemoveSubject', { subjectId });
    const head = await school.backend.store.head();
    for (const name of inSubject) {
      const { status, body } = await admin.command(name, 'subjectId' in samples[name] ? { ...samples[name], subjectId } : samples[name]);
      const gone =
        name === 'UndoCommand' || name === 'RedoCommand' ? 'upload or save' : name === 'ReopenFeedback' ? 'submission' : 'subject';
      expect([name, status, body.title]).toEqual([name, 404, `There is no such ${gone}.`]);
    }
    // What is asked of the school as a whole is answered still.
    const ofSchool: readonly QueryName[] = ['me', 'students-to-view', 'history', 'history-entry'];
    const asked = (Object.keys(asking) as QueryName[]).filter((name) => queryAccess[name].roles.includes('admin'));
    for (const name of asked.filter((one) => queryAccess[one].within !== 'self')) {
      const { status } = await admin.query(name, asking[name]);
      expect([name, status]).toEqual([name, ofSchool.includes(name) ? 200 : 404]);
    }
    for (const name of [
      'schemes',
      'assessments',
      'yearGroups',
      'sets',
      'terminalExams',
      'teachers',
      'students',
      'removedStudents',
      'deleted',
    ]) {
      const { body } = await rest(admin, 'GET', `${name}?filter=${JSON.stringify({ subjectId })}`);
      expect([name, body]).toEqual([name, name === 'deleted' ? [expect.objectContaining({ kind: 'subject' })] : []]);
    }
    // Lists of people name nothing of it; an account keeps its teacher record, so that saving it does not take that away.
    const people = async (list: string) => (await rest(admin, 'GET', `${list}?range=[0,99]`)).body;
    const staff = await people('staffUsers');
    expect(staff.map(({ subject }) => subject)).toEqual(expect.not.arrayContaining(['Mathematics']));
    expect(staff).toContainEqual(
      expect.objectContaining({
        id: school.accounts.teacherA,
        teacher: null,
        subject: null,
        teachers: [{ subjectId, teacherId: school.ids.recordA }],
      }),
    );
    expect(await people('studentUsers')).toContainEqual(
      expect.objectContaining({ id: school.accounts.student, subject: 'Science', subjectIds: [school.ids.science] }),
    );
    expect((await admin.query('students-to-view', { find: '11B' })).body).toEqual({ students: [], count: 0 });
    const asTeacher = await admin.send('/api/queries/me', { headers: { 'X-View-As': `teacher ${school.ids.recordA}` } });
    expect(asTeacher.status).toBe(403);
    const teacher = await school.as('teacherA');
    expect((await teacher.command('EnterMarks', samples.EnterMarks)).body.title).toBe('There is no such subject.');
    expect(await school.backend.store.head()).toBe(head);

    await admin.done('RestoreSubject', { subjectId });
    expect(await teacher.done('EnterMarks', samples.EnterMarks)).toMatchObject({ stored: 1, refused: [] });
    await admin.done('RenameAssessment', samples.RenameAssessment);
  });
});

describe('a question', () => {
  /** The ids that a query names, each of which is replaced in its sample. */
  const about = (name: QueryName): readonly string[] =>
    ['subjectId', 'yearGroupId', 'testId', 'studentId'].filter((field) => field in querySamples(school)[name]);
  /** A filter finds nothing; and the test of a file is a choice that is refused at its place. */
  const isChoice = (name: QueryName, field: string): boolean => name === 'history' || (name === 'preview-marks' && field === 'testId');

  test('about something that is not there is answered so', async () => {
    // Who asks as a student is told the same (tests/integration/marks/submissions.test.ts); an admin may not ask at all.
    const names = (Object.keys(querySamples(school)) as QueryName[]).filter((name) => queryAccess[name].within !== 'self');
    const asked = names.flatMap((name) => about(name).map((field) => ({ name, field })));
    expect(asked.length).toBeGreaterThan(12);
    for (const { name, field } of asked) {
      const { status } = await admin.query(name, { ...querySamples(school)[name], [field]: randomUUID() });
      expect([name, field, status]).toEqual([name, field, name === 'history' ? 200 : isChoice(name, field) ? 422 : 404]);
    }
  });

  test('tells nobody what there is in subjects and schools that are not theirs', async () => {
    const { ids } = await school.neighbour();
    const foreign: Readonly<Record<string, readonly string[]>> = {
      subjectId: [school.ids.science, ids.maths],
      yearGroupId: [school.ids.scienceYear, ids.year],
      testId: [school.ids.forces, ids.mock],
    };
    const said = async (who: Client, name: QueryName, field: string, value: string) => {
      const { status, body } = await who.query(name, { ...querySamples(school)[name], [field]: value });
      return [name, field, status, body.title];
    };
    for (const role of ['leader', 'teacherA'] as readonly RoleName[]) {
      const who = await school.as(role);
      for (const name of Object.keys(querySamples(school)) as QueryName[]) {
        for (const field of about(name).filter((one) => one in foreign)) {
          const nothing = await said(who, name, field, randomUUID());
          expect(nothing[2]).toBeGreaterThanOrEqual(400);
          for (const value of foreign[field] ?? []) expect(await said(who, name, field, value)).toEqual(nothing);
        }
      }
    }
  });
});
