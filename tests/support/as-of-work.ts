import { randomUUID } from 'node:crypto';
import { queryAccess, restAccess } from '../../api/access.ts';
import type { Uploaded } from '../../api/marks/upload/uploads.contract.ts';
import type { QueryName } from '../../api/queries.ts';
import type { Client } from './client.ts';
import type { random } from './random.ts';
import { rest } from './rest.ts';
import { querySamples } from './samples.ts';
import type { School } from './school.ts';
import { admissionNo, fullName } from './school.ts';

const observers = { admin: 'admin', auditor: 'auditor', leader: 'leader', teacherA: 'teacher' } as const;

/** Every query and list by every role that may ask it as of earlier moments, now or as of a moment, as text. */
export const answers = async (of: School, asOf?: string): Promise<Map<string, string>> => {
  const samples = querySamples(of);
  const all = new Map<string, string>();
  for (const [name, body] of Object.entries(samples)) {
    for (const [person, role] of Object.entries(observers)) {
      if (!queryAccess[name as QueryName].asOf.includes(role)) continue;
      const client = await of.as(person as keyof typeof observers);
      const answer = await patient(() => client.query(name as QueryName, body, asOf === undefined ? {} : { asOf }));
      all.set(`${person} ${name}`, `${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  for (const name of Object.keys(restAccess) as (keyof typeof restAccess)[]) {
    for (const [person, role] of Object.entries(observers)) {
      if (!restAccess[name].roles.includes(role)) continue;
      const client = await of.as(person as keyof typeof observers);
      const answer = await patient(async () => {
        const { status, problem } = await rest(client, 'GET', `${name}${asOf === undefined ? '' : `?asOf=${asOf}`}`);
        return { status, body: problem };
      });
      all.set(`${person} list ${name}`, `${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  return all;
};

/** Retries while all schemas are in use. */
export const patient = async <Answer extends { status: number; body: { code?: string } }>(ask: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (answer.body.code !== 'as-of-busy') return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Two users who change a school at random. */
export const atWork = async (of: School, { below, one, chance }: ReturnType<typeof random>) => {
  const { ids } = of;
  const people = await Promise.all((['leader', 'teacherA'] as const).map((role) => of.as(role)));
  const admin = await of.as('admin');
  const shorts = ['A1', 'A2', 'A3', 'A4'];
  const saves: { client: Client; entryId: string; commandId: string; undone: boolean }[] = [];
  const person = (short: string) => ({ admissionNo: admissionNo(short), name: fullName(short) });

  const type = async (): Promise<void> => {
    const client = one(people);
    const cells = [one(shorts), one(shorts)].map((short) => ({
      studentId: ids.students[short],
      testId: ids.mock,
      ...(chance(0.5) ? { questionId: one(ids.questions) } : {}),
      is: chance(0.1) ? 'cleared' : below(5),
      ...(chance(0.3) ? { was: [below(5)] } : {}),
    }));
    const distinct = [...new Map(cells.map((cell) => [`${cell.studentId} ${cell.questionId}`, cell])).values()];
    await client.done('EnterMarks', { entryId: randomUUID(), subjectId: ids.maths, seq: 1, cells: distinct });
  };
  const upload = async (): Promise<void> => {
    const client = one(people);
    // Refused if a student has left the class meanwhile.
    const { body } = await client.command('UploadTotals', {
      subjectId: ids.maths,
      classes: [{ setId: ids.setA, testIds: [ids.mock] }],
      rows: shorts.map((short) => ({ ...person(short), totals: [chance(0.2) ? null : below(20)] })),
      fileName: 'totals.csv',
    });
    const uploaded = body.result as unknown as Uploaded | undefined;
    if (uploaded && uploaded.stored + uploaded.confirmed > 0)
      saves.push({ client, entryId: uploaded.entryId, commandId: uploaded.commandId, undone: false });
  };
  const turn = async (): Promise<void> => {
    const save = saves.length > 0 ? one(saves) : undefined;
    if (!save) return;
    const { client, entryId, commandId } = save;
    const { status } = await client.command(save.undone ? 'RedoCommand' : 'UndoCommand', { entryId, commandId });
    if (status === 200) save.undone = !save.undone;
  };
  const move = async (): Promise<void> => {
    const short = one(['A1', 'B1', 'C1']);
    await admin.done('ChangeStudents', {
      subjectId: ids.maths,
      changes: [{ studentId: ids.students[short], place: { setId: one([ids.setA, ids.setB, ids.setC]) } }],
    });
  };
  const importStudents = async (): Promise<void> => {
    const rows = shorts.slice(1).map((short) => ({ ...person(short), set: one(['11A', '11B']), dateOfBirth: '2009-05-01' }));
    const newcomer = { admissionNo: `N${below(1000)}`, name: 'Newcomer', set: '11A', dateOfBirth: '2009-06-01' };
    await admin.command('ImportStudents', {
      subjectId: ids.maths,
      fileName: 's.csv',
      rows: [...rows, newcomer],
      others: 'keep',
      correct: true,
    });
    for (const short of shorts) {
      await admin.done('ChangeStudents', {
        subjectId: ids.maths,
        changes: [{ studentId: ids.students[short], place: { setId: ids.setA } }],
      });
    }
  };
  const rename = (): Promise<unknown> =>
    chance(0.5)
      ? admin.done('RenameAssessment', { testId: ids.mock, name: `Mock ${below(1000)}` })
      : admin.done('ChangeSet', { subjectId: ids.maths, setId: ids.setA, name: `11A${below(1000)}` });

  return async (): Promise<void> => {
    const x = below(100);
    if (x < 35) await type();
    else if (x < 60) await upload();
    else if (x < 75) await turn();
    else if (x < 85) await move();
    else if (x < 92) await rename();
    else await importStudents();
  };
};
