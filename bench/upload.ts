/** (b) Uploading a results file of a year group, from the request to the markbook, and the memory that uploads take. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { columnLiteral } from '../projections/engine/tables/column-text.ts';
import { relationOf } from '../projections/engine/building/ddl.ts';
import { resultsProjection } from '../projections/marks/results.ts';
import { results } from '../projections/marks/tables.ts';
import { compared, type Figure, inTurn, plain } from './figures.ts';
import type { Server } from './processes.ts';
import { CLASSES, QUESTIONS, type School, STUDENTS, students, type Subject } from './school.ts';

export const uploadFigures = async (
  databaseUrl: string,
  product: Server,
  school: School,
  cookie: string,
  rounds: number,
): Promise<Figure[]> => {
  const { uploads } = school;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query(`create table bench.results (like ${stored} including all)`);
  let highest = 0;
  const watch = setInterval(() => (highest = Math.max(highest, product.memory())), 10);
  try {
    const uploadOne = async (): Promise<void> => {
      const test = uploaded;
      const position = await upload(product, cookie, uploads, test, wholeYear, test);
      await readMarkbook(product, cookie, uploads, position);
      uploaded += 1;
    };
    let uploaded = 0;
    let upserted = 0;
    await uploadOne(); // one ahead: there are rows to upsert, whoever begins a round
    const pairs = await inTurn(
      rounds,
      () => timed(uploadOne),
      () => upsertAgain(pool, uploads.tests[upserted++]!.testId),
    );
    return [
      compared(`upload of ${STUDENTS} x ${QUESTIONS} marks until the markbook shows it, ms, against an upsert of the same rows`, pairs, {
        is: '<=',
        than: 3,
      }),
      plain('memory of the server at most during these uploads, MB', highest, { is: '<', than: 300 }),
    ];
  } finally {
    clearInterval(watch);
    await pool.end();
  }
};

/** Uploads class files one after the other: 30 students x 50 questions, with other marks whenever a class and test repeat. */
export const memoryFigure = async (product: Server, { classFiles }: School, cookie: string, count: number): Promise<Figure> => {
  let highest = 0;
  for (let number = 0; number < count; number++) {
    const test = Math.floor(number / CLASSES) % classFiles.tests.length;
    const time = Math.floor(number / (CLASSES * classFiles.tests.length));
    await upload(product, cookie, classFiles, test, classOf(number % CLASSES), time);
    highest = Math.max(highest, product.memory());
  }
  return plain(`memory of the server after ${count} more uploads (at most ${highest.toFixed(0)} on the way), MB`, product.memory(), {
    is: '<',
    than: 300,
  });
};

/** The table behind the view, because only it has indexes. */
const stored = relationOf('read', results, resultsProjection.version);

type Rows = readonly { readonly admissionNo: string; readonly name: string }[];

const wholeYear: Rows = students;
const classOf = (number: number): Rows => students.slice((number * STUDENTS) / CLASSES, ((number + 1) * STUDENTS) / CLASSES);

/** @returns the position of its event */
const upload = async (
  product: Server,
  cookie: string,
  { subjectId, sets, tests }: Subject,
  test: number,
  rows: Rows,
  version: number,
): Promise<string> => {
  const request = {
    method: 'POST',
    headers: { cookie, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({
      subjectId,
      testId: tests[test]!.testId,
      setIds: sets.map(({ setId }) => setId),
      fileName: 'results.csv',
      rows: rows.map(({ admissionNo, name }, row) => ({
        admissionNo,
        name,
        marks: Array.from({ length: QUESTIONS }, (_, question) => (row + question + version) % 4),
      })),
    }),
  };
  const answer = await patiently(() => fetch(`${product.url}/api/commands/UploadMarks`, request));
  const { position, result } = (await answer.json()) as { position: string; result?: { stored: number } };
  if (result?.stored !== rows.length * QUESTIONS) throw new Error(`the upload stored ${result?.stored} marks (status ${answer.status})`);
  return position;
};

const readMarkbook = async (product: Server, cookie: string, { yearGroupId }: Subject, position: string): Promise<void> => {
  const request = { headers: { cookie, 'X-Min-Position': position } };
  const answer = await patiently(() => fetch(`${product.url}/api/queries/markbook?yearGroupId=${yearGroupId}`, request));
  const { students: shown } = (await answer.json()) as { students?: unknown[] };
  if (shown?.length !== STUDENTS) throw new Error(`the markbook shows ${shown?.length} students (status ${answer.status})`);
};

/** Retries while the read models are behind, as the apps do. */
const patiently = async (ask: () => Promise<Response>): Promise<Response> => {
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503 || performance.now() > giveUpAt) return answer;
  }
};

/** Upserts the current rows of a test into a copy of their table, durably; the parameters are prepared before. */
const upsertAgain = async (pool: pg.Pool, testId: string): Promise<number> => {
  const columns = results.columns;
  const names = columns.map(({ name }) => name).join(', ');
  const { rows } = await pool.query<(string | null)[]>({
    text: `select ${names} from ${stored} where test_id = $1`,
    values: [testId],
    rowMode: 'array',
    types: { getTypeParser: () => (text: string | Buffer) => text },
  });
  if (rows.length !== STUDENTS * QUESTIONS) throw new Error(`${rows.length} rows of the upload are there`);
  const values = columns.map((column, at) =>
    columnLiteral(
      column,
      rows.map((row) => row[at] ?? null),
    ),
  );
  const query = {
    text: `insert into bench.results (${names})
     select * from unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')})
     on conflict (${results.key.join(', ')}) do update set ${columns.map(({ name }) => `${name} = excluded.${name}`).join(', ')}`,
    values,
  };
  return timed(() => pool.query(query));
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
