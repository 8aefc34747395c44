import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { CellHistory, Value } from '../../../api/marks/marks.contract.ts';
import type { Uploaded } from '../../../api/marks/upload/uploads.contract.ts';
import type { Client } from '../../support/client.ts';
import { expectMarksAsInLog } from '../../support/marks-in-log.ts';
import type { Product } from '../../support/product.ts';
import { random } from '../../support/random.ts';
import { openProduct } from '../../support/product.ts';
import { admissionNo } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { rounds } from '../../support/rounds.ts';

const { school } = await schoolOfFile();
const second = await school.another();

const newEntry = () => ({ entryId: randomUUID(), seq: 0 });

/** Somebody at a browser: their grids stay open, and what they saw there may be old. */
type Typist = { client: Client; entries: { entryId: string; seq: number }[]; shorts: readonly string[] };

test.each([1, 2].slice(0, rounds(1, 2)))('the read model is a fold of the log, whatever people do at once (sequence %i)', async (seed) => {
  const { below, one, chance } = random(seed);
  const { ids } = school;
  const A = ['A1', 'A2', 'A3'];
  const typists: Typist[] = await Promise.all(
    (
      [
        ['teacherA', school, A],
        ['teacherA', second, A],
        ['leader', school, [...A, 'B1']],
        ['admin', second, [...A, 'B1']],
        ['teacherB', second, ['B1', 'B2']],
      ] as const
    ).map(async ([role, at, shorts]) => ({ client: await school.signIn(role, at), entries: [newEntry(), newEntry()], shorts })),
  );
  const [admin] = typists.slice(3);
  const saves: { entryId: string; commandId: string }[] = [];
  /** What somebody once saw in a cell. */
  const sights = new Map<string, readonly Value[]>();

  const cell = (shorts: readonly string[]) => {
    const short = one(shorts);
    const questionId = chance(0.4) ? one(ids.questions) : undefined;
    const attendance = questionId === undefined && chance(0.15);
    return {
      studentId: ids.students[short] ?? '',
      testId: ids.mock,
      ...(questionId === undefined ? {} : { questionId }),
      ...(attendance ? { attendance } : {}),
    };
  };
  const valueFor = (place: ReturnType<typeof cell>): Value => {
    if (chance(0.12)) return 'cleared';
    if (place.attendance) return one(['sat', 'absent', 'exempt'] as const);
    return below(4);
  };
  const look = async (typist: Typist): Promise<void> => {
    const place = cell(typist.shorts);
    const history = await typist.client.ask<CellHistory>('cell', { ...place, ...(place.attendance ? { attendance: 'true' } : {}) });
    const { reading } = history;
    sights.set(JSON.stringify(place), reading.state === 'empty' ? [] : reading.state === 'counts' ? [reading.value] : reading.values);
  };
  const type = async (typist: Typist): Promise<void> => {
    const entry = one(typist.entries);
    const cells = Array.from({ length: 1 + below(4) }, () => {
      const place = cell(typist.shorts);
      const was = chance(0.7) ? sights.get(JSON.stringify(place)) : undefined;
      return { ...place, is: valueFor(place), ...(was === undefined ? {} : { was }) };
    });
    const key = randomUUID();
    const body = { entryId: entry.entryId, subjectId: ids.maths, seq: (entry.seq += 1), cells };
    await typist.client.done('EnterMarks', body, key);
    if (chance(0.2)) await typist.client.done('EnterMarks', body, key);
    await remember(typist, cells[0]);
  };
  const upload = async (typist: Typist): Promise<void> => {
    const saw = chance(0.5)
      ? {
          saw: typist.shorts.flatMap((short) => {
            const values = sights.get(JSON.stringify({ studentId: ids.students[short], testId: ids.mock }));
            return values && values.length > 0 ? [{ admissionNo: admissionNo(short), column: 0, values }] : [];
          }),
        }
      : {};
    const row = (short: string) => ({ admissionNo: admissionNo(short), name: short });
    const common = { subjectId: ids.maths, fileName: 'file.csv' };
    const uploaded = chance(0.5)
      ? await typist.client.done<Uploaded>('UploadTotals', {
          ...common,
          ...saw,
          classes: [ids.setA, ids.setB].map((setId) => ({ setId, testIds: [ids.mock] })),
          decides: chance(0.3) ? typist.shorts.map((short) => ({ admissionNo: admissionNo(short), column: 0 })) : [],
          rows: typist.shorts.map((short) => ({ ...row(short), totals: [chance(0.2) ? null : below(4)] })),
        })
      : await typist.client
          .command('UploadMarks', {
            ...common,
            testId: ids.mock,
            setIds: [ids.setA, ids.setB],
            rows: typist.shorts.map((short) => ({ ...row(short), marks: [below(4), chance(0.5) ? below(4) : null] })),
          })
          .then(({ body }) => body.result as unknown as Uploaded | undefined);
    if (uploaded && uploaded.stored + uploaded.confirmed > 0) saves.push(uploaded);
  };
  const decide = async (typist: Typist): Promise<void> => {
    const place = cell(typist.shorts);
    const was = sights.get(JSON.stringify(place));
    if (!was || was.length === 0) return;
    await typist.client.done('DecideMark', { ...place, entryId: randomUUID(), subjectId: ids.maths, is: one(was), was });
  };
  const undoOrRedo = async (typist: Typist): Promise<void> => {
    if (saves.length > 0) await typist.client.command(chance(0.6) ? 'UndoCommand' : 'RedoCommand', one(saves));
  };
  const changePaper = async (): Promise<void> => {
    const papers = [[5, 10, 5], [5, 10], [5, 10, 5], [5]];
    const questions = one(papers).map((marksAvailable, index) => ({ number: index + 1, topic: `Topic ${index + 1}`, marksAvailable }));
    // What left the paper returns with its marks.
    const answers = questions.map(({ number }) => ({ number, questionId: ids.questions[number - 1] }));
    await admin?.client.command('UploadQuestions', { testId: ids.mock, questions, answers });
  };
  const remember = async ({ client }: Typist, place: ReturnType<typeof cell> | undefined): Promise<void> => {
    if (!place) return;
    const { testId, studentId } = place;
    const { changes } = await client.ask<CellHistory>('cell', { testId, studentId });
    const last = changes.at(-1);
    if (last) saves.push({ entryId: last.entryId, commandId: last.commandId });
  };

  for (let round = 0; round < 60; round += 1) {
    const acts = Array.from({ length: 3 }, () => one([look, look, type, type, type, upload, decide, undoOrRedo, undoOrRedo]));
    await Promise.all([...acts.map((act) => act(one(typists))), ...(round % 7 === 3 ? [changePaper()] : [])]);
  }
  await expectMarksAsInLog(school.backend, school.databaseUrl);
});

test('a read model that is built anew from the same log says the same', async () => {
  await second.close();
  await school.backend.progress.waitFor(['results'], await school.backend.store.head(), 30_000);
  const rows = async (product: Product) =>
    product.backend.readAs(school.schoolId, (query) =>
      query(`select * from read.results where school_id = $1 order by test_id, item_id, kind, student_id`),
    );
  const before = await rows(school);
  expect(before.length).toBeGreaterThan(20);

  const database = new pg.Client({ connectionString: school.databaseUrl });
  await database.connect();
  await database.query('drop schema read cascade');
  await database.end();
  const anew = await openProduct(school.databaseUrl);
  expect(await rows(anew)).toEqual(before);
  await expectMarksAsInLog(anew.backend, school.databaseUrl);
  await anew.close();
});
