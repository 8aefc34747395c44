import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { parseResults } from '../../api/marks/upload/results-file.contract.ts';
import { parseTotals } from '../../api/marks/upload/totals-file.contract.ts';
import type { CommandAnswer } from '../../api/contract/live.ts';
import type { Uploaded } from '../../api/marks/upload/uploads.contract.ts';
import type { Me } from '../../api/accounts/accounts.contract.ts';
import type { Questions } from '../../api/assessments/assessments.contract.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import { commandId } from '../../events/codec/ids.ts';
import { root } from '../../run/apps.ts';
import { until } from '../support/until.ts';

/** The demo school as one of its staff knows it, in mathematics: whom the files are about, and where they go. */
export class DemoSchool {
  readonly #cookie: string;
  readonly #accountId: string;
  readonly #structure: Structure;
  readonly #questions: Questions;
  /** How often each row of a file was uploaded. */
  readonly #uploads = { totals: new Map<number, number>(), marks: new Map<number, number>() };

  /** Signs in. The session outlives the server, so other methods take the address of whichever runs now. */
  static async signIn(address: string, email = 'leader@demo.example'): Promise<DemoSchool> {
    const cookie = await signIn(address, email);
    const me = (await json(await fetch(`${address}/api/queries/me`, { headers: { cookie } }))) as Me;
    const subjectId = me.subjects.find(({ name }) => name === 'Mathematics')?.subjectId ?? '';
    const ask = async (name: string) => json(await fetch(`${address}/api/queries/${name}?subjectId=${subjectId}`, { headers: { cookie } }));
    return new DemoSchool(cookie, me.accountId, (await ask('structure')) as Structure, (await ask('questions')) as Questions);
  }

  private constructor(cookie: string, accountId: string, structure: Structure, questions: Questions) {
    this.#cookie = cookie;
    this.#questions = questions;
    this.#accountId = accountId;
    this.#structure = structure;
  }

  /**
   * The real file, or the rows that `isIn` chooses of it, with values that are others each time: once what went before is stored, each of
   * its cells changes.
   */
  upload(kind: Upload['kind'], isIn: (row: number) => boolean = () => true): Upload {
    const { subject, yearGroups, tests } = this.#structure;
    const test = tests.find(({ name }) => name === EXAMINATION);
    const setIds = yearGroups.flatMap(({ sets }) => sets.map(({ setId }) => setId));
    if (!test || test.max === null) throw new Error('the demo school has no examination');
    const { max, testId } = test;
    const questions = this.#questions.tests.find((one) => one.testId === testId)?.questions ?? [];
    const about = { subjectId: subject.subjectId, fileName: `${kind}.csv` };
    const times = this.#uploads[kind];
    resultsRows.forEach((_, row) => isIn(row) && times.set(row, (times.get(row) ?? 0) + 1));
    const turned = (value: number | null, row: number, most: number) =>
      value === null ? null : (value + (times.get(row) ?? 0)) % (most + 1);
    const rows = (
      kind === 'totals'
        ? totalsRows.map((row, n) => ({ ...row, totals: row.totals.map((total) => turned(total, n, max)) }))
        : resultsRows.map((row, n) => ({ ...row, marks: row.marks.map((mark, q) => turned(mark, n, questions[q]?.marksAvailable ?? 0)) }))
    ).filter((_, row) => isIn(row));
    const key = crypto.randomUUID();
    const values = rows.map((row) => ({
      who: row.admissionNo,
      marks: ('totals' in row ? row.totals : row.marks).filter((value) => value !== null),
    }));
    return {
      kind,
      command: kind === 'totals' ? 'UploadTotals' : 'UploadMarks',
      key,
      commandId: commandId(this.#accountId, key),
      cells: values.flatMap(({ marks }) => marks).length,
      sums: new Map(
        values.filter(({ marks }) => marks.length > 0).map(({ who, marks }) => [who, marks.reduce((sum, mark) => sum + mark, 0)]),
      ),
      body: JSON.stringify(
        kind === 'totals'
          ? { ...about, classes: setIds.map((setId) => ({ setId, testIds: [testId] })), rows }
          : { ...about, testId, setIds, rows },
      ),
    };
  }

  /** An import of students who are not there yet, into the first class; their StudentIDs begin with N. */
  newStudents(count: number): Sendable {
    const { subject, yearGroups } = this.#structure;
    const set = yearGroups[0]?.sets[0]?.name ?? '';
    const rows = Array.from({ length: count }, (_, n) => ({
      admissionNo: `N${n}`,
      name: `New, Student ${n}`,
      set,
      dateOfBirth: '2010-05-01',
    }));
    const key = crypto.randomUUID();
    const body = JSON.stringify({ subjectId: subject.subjectId, fileName: 'new.csv', rows });
    return { command: 'ImportStudents', key, commandId: commandId(this.#accountId, key), body };
  }

  /** A first save of a grid: totals in the examination, by student. */
  typed(totals: readonly { studentId: string; is: number }[]): Sendable {
    const { subject, tests } = this.#structure;
    const key = crypto.randomUUID();
    const testId = tests.find(({ name }) => name === EXAMINATION)?.testId;
    const cells = totals.map((total) => ({ ...total, testId }));
    const body = JSON.stringify({ subjectId: subject.subjectId, entryId: crypto.randomUUID(), seq: 1, cells });
    return { command: 'EnterMarks', key, commandId: commandId(this.#accountId, key), body };
  }

  /** Rejects when the server dies. */
  send(address: string, { command, key, body }: Sendable): Promise<Response> {
    return fetch(`${address}/api/commands/${command}`, {
      method: 'POST',
      body,
      headers: { cookie: this.#cookie, 'Content-Type': 'application/json', 'Idempotency-Key': key },
    });
  }

  /** The answer of a command that must succeed: when told that it may work in a moment (503), it is sent again, as the apps do. */
  async done<Result = Uploaded>(address: string, command: Sendable): Promise<CommandAnswer<Result>> {
    for (let patience = 60; ; patience--) {
      const answer = await this.send(address, command);
      if (answer.status !== 503 || patience === 0) return (await json(answer)) as CommandAnswer<Result>;
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
      await answer.text();
      await pause(Number(answer.headers.get('Retry-After')) * 1000);
    }
  }

  /** Fulfilled when the read models show what lies at the position. */
  async shown(address: string, position: string | null): Promise<void> {
    await until(async () => {
      const answer = await this.uploads(address, position);
      await answer.text();
      return answer.ok;
    });
  }

  uploads(address: string, position: string | null): Promise<Response> {
    return fetch(`${address}/api/queries/uploads?subjectId=${this.#structure.subject.subjectId}`, {
      headers: { cookie: this.#cookie, ...(position === null ? {} : { 'X-Min-Position': position }) },
    });
  }

  /** Server-sent events; ends when the server ends it. */
  async *live(address: string, signal: AbortSignal): AsyncGenerator<string> {
    const { body } = await fetch(`${address}/api/live`, { headers: { cookie: this.#cookie }, signal });
    if (!body) return;
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const messages = `${rest}${text}`.split('\n\n');
      rest = messages.pop() ?? '';
      yield* messages;
    }
  }
}

export type Sendable = {
  readonly command: 'UploadTotals' | 'UploadMarks' | 'ImportStudents' | 'EnterMarks';
  readonly key: string;
  readonly commandId: string;
  readonly body: string;
};

/** A file on its way. `sums`: what its values come to for each student, by StudentID. */
export type Upload = Sendable & {
  readonly kind: 'totals' | 'marks';
  readonly cells: number;
  readonly sums: ReadonlyMap<string, number>;
};

const EXAMINATION = 'Written examination';

/** Answers the cookie of the session. */
export const signIn = async (address: string, email: string): Promise<string> => {
  const answer = await askToSignIn(address, email);
  if (!answer.ok) throw new Error(`signing in as ${email}: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
};

export const askToSignIn = (address: string, email: string): Promise<Response> =>
  fetch(`${address}/api/identity/sign-in/email`, {
    method: 'POST',
    headers: { origin: address, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: 'marktrail-demo' }),
  });

export const json = async (answer: Response): Promise<unknown> => {
  if (!answer.ok) throw new Error(`${answer.status} of ${answer.url}: ${await answer.text()}`);
  return answer.json();
};

const file = (name: string) => ({ name, type: 'text/csv', bytes: readFileSync(join(root, 'run/demo/mathexam', name)) });
const totalsFile = parseTotals(file('totals_upload.csv'));
const resultsFile = parseResults(file('results_upload.csv'));
if (!totalsFile.ok || !resultsFile.ok) throw new Error('the files of the demo school cannot be read');
const totalsRows = totalsFile.rows.map(({ admissionNo, name, totals }) => ({ admissionNo, name, totals: totals.slice(0, 1) }));
const resultsRows = resultsFile.rows.map(({ admissionNo, name, marks }) => ({ admissionNo, name, marks }));
