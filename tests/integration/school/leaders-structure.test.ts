import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandAccess } from '../../../api/access.ts';
import { commandId } from '../../../events/codec/ids.ts';
import type { CommandName } from '../../../api/commands.ts';
import type { ResourceName } from '../../../api/resources.ts';
import { resources } from '../../../api/resources.ts';
import { rest } from '../../support/rest.ts';
import type { School } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

/** Leaders who shape the structure of their own subject, where the school has opened it to them. */
const { school, admin, leader } = await schoolOfFile('admin', 'leader');
let spare: Readonly<Record<'maths' | 'science', Spare>>;
const tried = (of: 'maths' | 'science'): readonly Write[] => writes(school, of, spare[of]);
beforeAll(async () => {
  const { maths, scheme, science, scienceScheme } = school.ids;
  spare = { maths: await spareOf(maths, scheme), science: await spareOf(science, scienceScheme) };
  await shown();
});

const shown = async (): Promise<void> => school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
const open = async (is: boolean): Promise<void> => {
  await admin.done('OpenStructureToLeaders', { open: is });
  await shown();
};
const status = async (name: CommandName, body: object, who = leader): Promise<number> => (await who.command(name, body)).status;
const topics = (name: string) => [{ name }];

const structure = ['subjects', 'assessments', 'terminalExams', 'schemes', 'yearGroups', 'sets', 'teachers', 'deleted'] as const;
const closed = (Object.keys(resources) as ResourceName[]).filter((name) => !structure.some((one) => one === name));

type Write = readonly [CommandName, object];

/** Every command that leaders may give then, in an order in which each is possible, by the ids of a subject. `spare`: what only they touch. */
const writes = (
  { ids }: School,
  of: 'maths' | 'science',
  { setId: spareSet, yearGroupId: spareYear, actId, terminalExamId, paper }: Spare,
): readonly Write[] => {
  const isMaths = of === 'maths';
  const subjectId = ids[of];
  const [testId, schemeId] = isMaths ? [ids.unready, ids.scheme] : [ids.forces, ids.scienceScheme];
  const [yearGroupId, setId] = isMaths ? [ids.year, ids.setB] : [ids.scienceYear, ids.setS];
  const teacherId = isMaths ? ids.recordB : ids.scienceRecord;
  return [
    ['RenameSubject', { subjectId, name: `${of} renamed` }],
    ['AddYearGroup', { subjectId, year: 8 }],
    ['AddSet', { subjectId, yearGroupId, name: 'New set', schemeId }],
    ['AddSets', { subjectId, yearGroupId, names: ['One', 'Two'], schemeId }],
    ['ChangeSet', { subjectId, setId, name: 'Changed set' }],
    ['ChangeSets', { subjectId, changes: [{ setId, testIds: [] }] }],
    ['LinkSetAssessment', { subjectId, links: [{ setId, testId }], linked: true }],
    ['DeleteSet', { subjectId, setId: spareSet }],
    ['RestoreSet', { subjectId, setId: spareSet }],
    ['RenameYearGroup', { subjectId, yearGroupId: spareYear, year: 9 }],
    ['DeleteYearGroup', { subjectId, yearGroupId: spareYear }],
    ['RestoreYearGroup', { subjectId, yearGroupId: spareYear }],
    ['UndoAct', { subjectId, actId, partly: true }],
    ['AddTeacher', { subjectId, name: 'New teacher' }],
    ['ChangeTeacher', { subjectId, teacherId, setIds: [] }],
    ['LinkTeacherSet', { subjectId, links: [{ teacherId, setId }], linked: true }],
    ['RemoveTeacher', { subjectId, teacherId }],
    ['RestoreTeacher', { subjectId, teacherId }],
    ['LetTeacherLeave', { subjectId, teacherId, handOver: [{ setId, to: null }] }],
    ['AddTerminalExam', { subjectId, name: 'New exam', yearSat: 11 }],
    ['RestoreTerminalExam', { subjectId, terminalExamId }],
    ['ChangeTerminalExam', { subjectId, terminalExamId, name: 'Own exam' }],
    ['RemoveTerminalExam', { subjectId, terminalExamId }],
    ['AddScheme', { subjectId, name: 'New scheme' }],
    ['ReplaceTopicTree', { subjectId, title: 'Own', paths: [['Number']] }],
    ['CreateAssessment', { subjectId, name: 'New assessment' }],
    // These name no subject: it is looked up.
    ['ChangeScheme', { schemeId, name: `Scheme of ${of}`, topics: topics('Own topic') }],
    ['SaveSchemeTopics', { schemeId, save: [{ topicId: null, name: 'Added topic' }] }],
    ['DeleteScheme', { schemeId: paper.schemeId }],
    ['RestoreScheme', { schemeId: paper.schemeId }],
    ['RenameAssessment', { testId, name: 'Own name' }],
    ['UploadQuestions', { testId, questions: [{ number: 1, topic: 'Own', marksAvailable: 10 }] }],
    ['SaveQuestions', { testId, save: [{ questionId: null, number: 2, topic: 'Added', marksAvailable: 5 }] }],
    ['EditQuestions', { testId, questions: [] }],
    ['UndoQuestions', { testId: paper.testId, commandId: paper.commandId }],
    ['DeleteAssessment', { testId }],
    ['RestoreAssessment', { testId }],
  ];
};

/** Nobody else's: a year group, a set, an exam that was removed, a scheme of work that no set follows, and a paper with a change to undo. */
type Spare = {
  readonly yearGroupId: string;
  /** the command that added it */
  readonly actId: string;
  readonly setId: string;
  readonly terminalExamId: string;
  readonly paper: { readonly schemeId: string; readonly testId: string; readonly commandId: string };
};

const spareOf = async (subjectId: string, followed: string): Promise<Spare> => {
  const key = randomUUID();
  const { yearGroupId = '' } = await admin.done('AddYearGroup', { subjectId, year: 7 }, key);
  const { yearGroupId: other } = await admin.done('AddYearGroup', { subjectId, year: 10 });
  const { setId = '' } = await admin.done('AddSet', { subjectId, yearGroupId: other, name: 'Spare', schemeId: followed });
  const { terminalExamId = '' } = await admin.done('AddTerminalExam', { subjectId, name: 'Old exam', yearSat: 11 });
  await admin.done('RemoveTerminalExam', { subjectId, terminalExamId });
  const { schemeId = '' } = await admin.done('AddScheme', { subjectId, name: 'Spare' });
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId, name: 'Spare' });
  const questions = [{ number: 1, topic: 'Spare', marksAvailable: 1 }];
  const { commandId: uploaded = '' } = await admin.done('UploadQuestions', { testId, questions });
  return {
    yearGroupId,
    actId: commandId(school.accounts.admin, key),
    setId,
    terminalExamId,
    paper: { schemeId, testId, commandId: uploaded },
  };
};

test('what leaders may do then is all of it tried here', () => {
  const rights = Object.entries(commandAccess).filter(([, { ifOpen }]) => ifOpen === 'leader');
  expect(new Set(tried('maths').map(([name]) => name as string))).toEqual(new Set(rights.map(([name]) => name)));
});

test('as long as the school has not opened it, a leader is refused', async () => {
  const before = await school.backend.store.head();
  for (const [name, body] of tried('maths')) expect([name, await status(name, body)]).toEqual([name, 403]);
  for (const name of structure) expect([name, (await rest(leader, 'GET', name)).status]).toEqual([name, 403]);
  expect((await leader.query('assessment', { testId: school.ids.mock })).status).toBe(403);
  expect(await leader.ask('me')).toMatchObject({ role: 'leader', school: { structureOpen: false } });
  expect(await status('OpenStructureToLeaders', { open: true })).toBe(403);
  expect(await school.backend.store.head()).toBe(before);
});

describe('once it is open', () => {
  beforeAll(() => open(true));

  test('a leader sees the structure of their own subjects, and of no other', async () => {
    const { maths, science } = school.ids;
    expect((await rest(leader, 'GET', 'subjects')).body).toMatchObject([{ id: maths }]);
    for (const name of structure.filter((one) => one !== 'subjects')) {
      const { body } = await rest(leader, 'GET', name);
      expect([name, new Set(body.map(({ subjectId }) => subjectId))]).toEqual([name, new Set([maths])]);
      const others = await rest(leader, 'GET', `${name}?filter=${JSON.stringify({ subjectId: science })}`);
      expect([name, others.body]).toEqual([name, []]);
    }
    expect((await leader.query('assessment', { testId: school.ids.mock })).status).toBe(200);
    expect((await leader.query('assessment', { testId: school.ids.forces })).status).toBe(404);
    expect(await leader.ask('me')).toMatchObject({ school: { structureOpen: true } });
  });

  test('a leader changes nothing of another subject, whatever ids they send', async () => {
    const { maths, science, scienceScheme, scienceRecord, forces, setS, scienceYear } = school.ids;
    const before = await school.backend.store.head();
    for (const [name, body] of tried('science')) expect([name, await status(name, body)]).toEqual([name, 403]);
    // Their own subject, named with what belongs to another.
    expect(await status('ChangeSet', { subjectId: maths, setId: setS, name: 'Taken' })).toBe(404);
    expect(await status('RenameYearGroup', { subjectId: maths, yearGroupId: scienceYear, year: 7 })).toBe(404);
    expect(await status('ChangeTeacher', { subjectId: maths, teacherId: scienceRecord, name: 'Taken' })).toBe(404);
    expect(await status('ChangeSet', { subjectId: maths, setId: school.ids.setA, schemeId: scienceScheme })).toBe(422);
    expect(await status('ChangeSet', { subjectId: maths, setId: school.ids.setA, testIds: [forces] })).toBe(422);
    expect(await status('DeleteAssessment', { testId: forces, subjectId: maths })).toBe(422);
    for (const [name, id] of [
      ['subjects', science],
      ['sets', setS],
      ['assessments', forces],
      ['schemes', scienceScheme],
      ['teachers', scienceRecord],
    ] as const) {
      expect([name, (await rest(leader, 'GET', `${name}/${id}`)).status]).toEqual([name, 404]);
      expect([name, (await rest(leader, 'PUT', `${name}/${id}`, { name: 'Taken' })).status]).toEqual([name, 404]);
    }
    expect(await school.backend.store.head()).toBe(before);
  });

  test('a leader adds and removes no subject; students, accounts, exports and the setting stay the admins’', async () => {
    const { maths, year, mock, students } = school.ids;
    const before = await school.backend.store.head();
    const refused: readonly (readonly [CommandName, object])[] = [
      ['AddSubject', { name: 'History' }],
      ['RemoveSubject', { subjectId: maths }],
      ['RestoreSubject', { subjectId: maths }],
      ['ChangeStudents', { subjectId: maths, changes: [{ studentId: students['A1'], place: 'off-roll' }] }],
      ['ChangeStaffAccount', { accountId: school.accounts.leader, role: 'admin' }],
      ['ChangeStaffAccount', { accountId: school.accounts.leader, teachers: [] }],
      ['IssueJoinCode', { subjectId: maths }],
      ['OpenStructureToLeaders', { open: false }],
      ['RenameSchool', { name: 'Mine' }],
    ];
    for (const [name, body] of refused) expect([name, await status(name, body)]).toEqual([name, 403]);
    for (const name of closed) expect([name, (await rest(leader, 'GET', name)).status]).toEqual([name, 403]);
    expect((await rest(leader, 'DELETE', `subjects/${maths}`)).status).toBe(403);
    expect((await leader.query('export-students', { yearGroupId: year })).status).toBe(403);
    expect((await leader.query('export-results', { testId: mock })).status).toBe(403);
    expect(await school.backend.store.head()).toBe(before);
  });

  test('it is no right of teachers and students, and auditors only read', async () => {
    for (const role of ['teacherA', 'student', 'auditor'] as const) {
      const other = await school.as(role);
      for (const [name, body] of tried('maths')) expect([role, name, await status(name, body, other)]).toEqual([role, name, 403]);
      const reads = role === 'auditor' ? 200 : 403;
      for (const name of structure) expect([role, name, (await rest(other, 'GET', name)).status]).toEqual([role, name, reads]);
    }
  });

  test('a leader shapes their own subject', async () => {
    for (const [name, body] of tried('maths')) expect([name, await status(name, body)]).toEqual([name, 200]);
    const set = await rest(leader, 'PUT', `sets/${school.ids.setC}`, { name: 'Third set' });
    expect([set.status, set.body]).toMatchObject([200, { name: 'Third set' }]);
  });

  test('closed again, it is closed with that request', async () => {
    await admin.done('OpenStructureToLeaders', { open: false });
    // The log is asked, so no read model has to come after first.
    for (const [name, body] of tried('maths')) expect([name, await status(name, body)]).toEqual([name, 403]);
    await shown();
    for (const name of structure) expect([name, (await rest(leader, 'GET', name)).status]).toEqual([name, 403]);
    expect((await leader.query('assessment', { testId: school.ids.mock })).status).toBe(403);
  });
});
