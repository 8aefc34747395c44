/**
 * (t) A large year's students by one documented call, against the same students as a file: over HTTP, by the same admin in the same run, each
 * until the lists show them.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../api/actor.ts';
import { systemActor } from '../api/actor.ts';
import { openBackend } from '../run/backend.ts';
import { commandClient } from '../run/command-client.ts';
import { readSettings } from '../run/settings.ts';
import { compared, type Figure, inTurn, median, plain } from './figures.ts';
import { startProduct } from './processes.ts';
import { type Login, signIn } from './school.ts';

const STUDENTS = 2_000;
const SET = '7X1';

/** @param databaseUrl a migrated database with an empty log */
export const yearByCallFigures = async (databaseUrl: string, dataDir: string, rounds: number): Promise<Figure[]> => {
  const { admin, calls, files } = await buildSubjects(databaseUrl, dataDir);
  const product = await startProduct(databaseUrl, dataDir);
  try {
    const cookie = await signIn(product.url, admin);
    const send = async <Answer>(path: string, body?: unknown, position = '0'): Promise<Answer> => {
      const answer = await fetch(`${product.url}/api/${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          'Content-Type': 'application/json',
          'X-Min-Position': position,
          Cookie: cookie,
          Origin: product.url.replace('127.0.0.1', 'localhost'),
        },
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    };
    const seconds = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await work();
      return (performance.now() - start) / 1000;
    };
    const called = (round: number) =>
      seconds(() => {
        const data = studentsOf(`C${round}`).map(({ admissionNo, name }) => ({
          keyval: { UniqueID: null },
          values: { StudentID: admissionNo, LastFirst: name, DoB: '2014-05-01', SetID: calls.setId },
        }));
        return send('admin', { table: 'StudentNames', data });
      });
    const imported = (round: number) =>
      seconds(async () => {
        const rows = studentsOf(`F${round}`).map((student) => ({ ...student, set: SET, dateOfBirth: '2014-05-01' }));
        const { subjectId } = files;
        const { position } = await send<{ position: string }>('commands/ImportStudents', { subjectId, fileName: 'year.csv', rows });
        await send(`rest/students?${new URLSearchParams({ filter: JSON.stringify({ subjectId }), range: '[0,0]' })}`, undefined, position);
      });
    const pairs = await inTurn(rounds, called, imported);
    const what = `${STUDENTS} students by one POST /admin, s until they show`;
    return [
      compared(`${what}, against a file of as many`, pairs, { is: '<=', than: 1.5 }),
      plain(what, median(pairs.map(({ value }) => value)), { is: '<=', than: 10 }),
    ];
  } finally {
    await product.stop();
  }
};

const studentsOf = (prefix: string) =>
  Array.from({ length: STUDENTS }, (_, index) => ({ admissionNo: `${prefix}-${index}`, name: `Surname, Name ${index}` }));

/** A subject for each way, so that neither makes the other larger. */
const buildSubjects = async (databaseUrl: string, dataDir: string) => {
  const backend = await openBackend({ ...readSettings({ DATA_DIR: dataDir }), databaseUrl, tell: () => undefined });
  try {
    const schoolId = randomUUID();
    const system = commandClient(backend.bus, systemActor(schoolId));
    await system('school', 'OpenSchool', { name: 'Large School' });
    const admin: Login = { email: 'year.admin@bench.example', password: 'correct-horse' };
    const { accountId = '' } = await system('admin', 'OpenStaffAccount', { ...admin, name: 'Admin', role: 'admin' });
    const ask = commandClient(backend.bus, { ...systemActor(schoolId), accountId, role: 'admin' } satisfies Actor);
    const subject = async (name: string) => {
      const { subjectId = '' } = await ask(name, 'AddSubject', { name });
      const { schemeId } = await ask(name, 'AddScheme', { subjectId, name });
      const { yearGroupId } = await ask(name, 'AddYearGroup', { subjectId, year: 7 });
      const { setId = '' } = await ask(name, 'AddSet', { subjectId, yearGroupId, name: SET, schemeId });
      return { subjectId, setId };
    };
    const [calls, files] = [await subject('By calls'), await subject('By files')];
    await backend.progress.waitFor(['structure', 'accounts'], await backend.store.head(), 10_000);
    return { admin, calls, files };
  } finally {
    await backend.close();
  }
};
