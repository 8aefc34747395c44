import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, onTestFailed, test } from 'vitest';
import { openedAnew } from '../../support/opened-anew.ts';
import { rounds } from '../../support/rounds.ts';
import { until } from '../../support/until.ts';
import { DemoSchool, type Upload } from '../../faults/demo-school.ts';
import { Dice, seed } from '../../faults/dice.ts';
import { appendsWaiting, eventsOf, LOCK_OF_THE_LOG, Victim, type Fault, type Moment, type Query } from '../../faults/victim.ts';

const times = rounds(4);

let victim: Victim;
let school: DemoSchool;
const story: string[] = [];

openedAnew(async (atEnd) => {
  victim = await Victim.open();
  atEnd(() => victim.end());
  school = await DemoSchool.signIn(await victim.start('server'));
});
beforeEach(() => onTestFailed(() => console.error([`FAULT_SEED=${seed}`, ...story.slice(-3), victim.output()].join('\n'))));

test(`killed at ${times} random points, an upload is there whole or not at all, and a repeated request completes it once`, async () => {
  const outcomes = { 'not written': 0, 'written, not answered': 0, answered: 0 };
  const dice = new Dice(seed);
  const first = { totals: school.upload('totals'), marks: school.upload('marks') };
  const [totals, marks] = [await timeOf(first.totals), await timeOf(first.marks)];
  const usual = { totals, marks, 'some totals': totals / 2, 'some marks': marks / 2 };
  const stands = { totals: first.totals.sums, marks: first.marks.sums };

  for (let round = 1; round <= times; round++) {
    const { fault, files, isIn, moment } = drawn(dice, usual);
    story.push(`round ${round}: ${files.join(' and ')}; kill the ${fault}; at ${moment}`);
    const address = await victim.running(fault);
    const uploads = files.map((file) => school.upload(file.endsWith('totals') ? 'totals' : 'marks', isIn));
    const answered = await Promise.all(
      await victim.killAt(moment, fault, (delay) => uploads.map((upload) => answerOf(address, upload, delay))),
    );

    const again = await victim.start(fault);
    await victim.looking(async (query, fold) => {
      const saves = await fold.saves();
      const now = await sumsIn(query);
      const written: boolean[] = [];
      for (const [n, upload] of uploads.entries()) {
        const events = await eventsOf(query, upload.commandId);
        if (answered[n]) expect(events).toEqual([answered[n].position]);
        expect(events.length).toBeLessThan(2);
        expect(saves.get(upload.commandId)?.keys.length).toBe(events.length === 0 ? undefined : upload.cells);
        const sums = new Map([...stands[upload.kind], ...upload.sums]);
        expect(now[upload.kind]).toEqual(events.length === 0 ? stands[upload.kind] : sums);
        stands[upload.kind] = sums;
        written.push(events.length > 0);
        outcomes[answered[n] ? 'answered' : events.length === 0 ? 'not written' : 'written, not answered']++;
      }

      for (const [n, upload] of uploads.entries()) {
        const begin = performance.now();
        const [one, other] = await Promise.all([school.done(again, upload), school.done(again, upload)]);
        expect(other).toEqual(one);
        if (answered[n]) expect(one).toEqual(answered[n]);
        expect(one.result).toMatchObject({ commandId: upload.commandId, stored: upload.cells, unchanged: 0, unmatched: [] });
        expect(await eventsOf(query, upload.commandId)).toEqual([one.position]);
        await school.shown(again, one.position);
        const file = files[n] ?? 'totals';
        if (!written[n]) usual[file] = (usual[file] + performance.now() - begin) / 2;
      }
      expect(await sumsIn(query)).toEqual(stands);
      if (round % 10 === 0 || round === times) expect(await fold.differences()).toEqual([]);
      if (round === times) console.log(`${times} kills (FAULT_SEED=${seed}): ${JSON.stringify(outcomes)}; compared ${fold.figures}`);
    });
  }
});

test('an append that the database still works on when its server dies is written once, though another server is asked meanwhile', async () => {
  const address = await victim.running('server');
  const other = victim.another();
  const otherAddress = await other.ready;
  try {
    const upload = school.upload('totals');
    await victim.looking(async (query, fold) => {
      await query('select pg_advisory_lock($1)', [LOCK_OF_THE_LOG]);
      const answer = answerOf(address, upload, 0);
      await appendsWaiting(query, 1);
      await victim.kill('server');
      expect(await answer).toBeUndefined();
      expect(await eventsOf(query, upload.commandId)).toEqual([]);

      const repeated = school.done(otherAddress, upload);
      await appendsWaiting(query, 2);
      await query('select pg_advisory_unlock($1)', [LOCK_OF_THE_LOG]);
      const { position, result } = await repeated;
      expect(result.stored).toBe(upload.cells);
      expect(await eventsOf(query, upload.commandId)).toEqual([position]);
      await school.shown(otherAddress, position);
      expect(await fold.differences()).toEqual([]);
    });
  } finally {
    other.process.kill('SIGTERM');
    await other.ended;
  }
});

test('an import too large for one append, killed between its parts, is not there at all; a repeated request completes it once', async () => {
  const fault = 'server and database';
  const admin = await DemoSchool.signIn(await victim.running(fault), 'admin@demo.example');
  const students = admin.newStudents(5_000);
  const parts = async (query: Query) => (await query(`select from log.events where type = 'Part'`)).rowCount;
  const inRoster = async (query: Query) => (await query(`select from read.students where admission_no like 'N%'`)).rowCount;

  for (const attempt of [1, 2]) {
    const address = await victim.running(fault);
    await victim.killAt('being written, second part', fault, () => void admin.send(address, students).catch(() => undefined));
    await victim.start(fault);
    await victim.looking(async (query) => {
      expect(await parts(query)).toBe(attempt);
      expect(await eventsOf(query, students.commandId)).toEqual([]);
      expect(await inRoster(query)).toBe(0);
    });
  }

  const { position, result } = await admin.done<{ added: number }>(await victim.running(fault), students);
  expect(result).toMatchObject({ added: 5_000 });
  await victim.looking(async (query) => {
    expect(await eventsOf(query, students.commandId)).toEqual([position]);
    await until(async () => (await inRoster(query)) === 5_000);
  });
});

type File = Upload['kind'] | `some ${Upload['kind']}`;

/**
 * What is uploaded, and what is killed when: PostgreSQL too in half of the rounds, and more often where something is under way. Mostly the files hold a quarter of the students, so
 * that the histories of the cells do not become longer than any school's.
 *
 * @param usual milliseconds that each file takes until it shows
 */
const drawn = (dice: Dice, usual: Record<File, number>) => {
  const fault = dice.pick<Fault>([
    [4, 'server'],
    [1, 'server, its own database goes on'],
    [5, 'server and database'],
  ]);
  const files = dice.pick<readonly File[]>([
    [1, ['totals']],
    [1, ['marks']],
    [4, ['some totals']],
    [4, ['some marks']],
    [2, ['some totals', 'some marks']],
  ]);
  const quarter = Math.floor(dice.between(0, 4));
  const isIn = (row: number) => !files[0]?.startsWith('some') || row % 4 === quarter;
  const span = Math.max(...files.map((file) => usual[file]));
  const moment = dice.pick<Moment>([
    [1, Math.round(span * dice.between(-0.1, 0.1))],
    [5, Math.round(span * dice.between(0.1, 1))],
    [2, Math.round(span * dice.between(0.8, 1.4))],
    [1, 'being written'],
    [1, 'written'],
  ]);
  return { fault, files, isIn, moment };
};

/** Milliseconds from sending to showing, undisturbed. */
async function timeOf(upload: Upload): Promise<number> {
  const address = await victim.running('server');
  const begin = performance.now();
  const { position } = await school.done(address, upload);
  await school.shown(address, position);
  return performance.now() - begin;
}

const answerOf = async (address: string, upload: Upload, delay: number) => {
  if (delay > 0) await pause(delay);
  return school.done(address, upload).catch(() => undefined);
};

/** What the markbook holds of each student who has marks in the examination, by StudentID. */
const sumsIn = async (query: Query): Promise<Record<Upload['kind'], Map<string, number>>> => {
  const { rows } = await query(`
    select s.admission_no as "who", m.total, m.marks_count, m.marks_sum
      from read.markbook m join read.students s using (school_id, student_id)`);
  return {
    totals: new Map(rows.filter(({ total }) => total !== null).map(({ who, total }) => [who, total])),
    marks: new Map(rows.filter(({ marks_count }) => marks_count > 0).map(({ who, marks_sum }) => [who, marks_sum])),
  };
};
