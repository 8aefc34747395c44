import { beforeAll, describe, expect, test } from 'vitest';
import type { StudentCard } from '../../../api/analysis/student/student.contract.ts';
import { compare } from '../../../projections/engine/rebuild.ts';
import { Progress } from '../../../projections/engine/announcing/progress.ts';
import { resultsProjection } from '../../../projections/marks/results.ts';
import { openDecodedLog } from '../../../run/log/decoded-log.ts';
import { marksIn } from '../../support/marks.ts';
import { MASTER_KEY } from '../../support/product.ts';
import { random } from '../../support/random.ts';
import { studentNames } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, student: A1 } = await schoolOfFile('admin', 'leader', 'student');
beforeAll(async () => {
  await everybodyInA();
});

const { shownTest, upload, marksFile, enter } = marksIn(() => school);
const inA = studentNames.filter((short) => !short.startsWith('A'));
const place = (shorts: readonly string[], setId: string) =>
  admin.done('ChangeStudents', {
    subjectId: school.ids.maths,
    changes: shorts.map((short) => ({ studentId: school.ids.students[short], place: { setId } })),
  });
/** A class of twelve. */
const everybodyInA = () => place(inA, school.ids.setA);
const card = (testId: string) => A1.ask<StudentCard>('student-card', { testId });
const type = (testId: string, short: string, cell: object) => enter(leader, [{ testId, studentId: school.ids.students[short], ...cell }]);

/** The rows of the read model that differ from those that the log gives. */
const differences = async () => {
  const { databaseUrl, backend } = school;
  await backend.progress.waitFor(['results'], await backend.store.head(), 30_000);
  const log = await openDecodedLog({
    databaseUrl,
    dataDir: '/nowhere',
    masterKey: MASTER_KEY,
    forgettingsFile: '/nowhere/forgettings.ndjson',
  });
  try {
    const progress = new Progress({ databaseUrl });
    const tables = await compare({ databaseUrl, store: log.store, decode: log.decode, projections: [resultsProjection], progress });
    return tables.flatMap(({ examples }) => examples);
  } finally {
    await log.close();
  }
};

describe('what a student is shown of others', () => {
  test('moves by five students at once over 50 changes of totals, and is the same after a rebuild', async () => {
    const { testId } = await shownTest();
    const dice = random(11);
    const now = new Map<string, number>();
    const changedSince = new Set<string>();
    let shown: number | null = null;
    let moved = 0;
    for (let change = 0; change < 50; change++) {
      const short = dice.one(studentNames);
      const total = dice.below(21);
      const was = now.has(short) ? [now.get(short)] : [];
      if (was[0] === total) continue;
      await type(testId, short, { is: total, was });
      now.set(short, total);
      changedSince.add(short);
      const { classPercent } = await card(testId);
      if (classPercent === shown) continue;
      moved += 1;
      // Whoever subtracts two readings has at least five unknown totals for one difference, which is rounded.
      expect(changedSince.size).toBeGreaterThanOrEqual(5);
      expect(Number.isInteger(classPercent)).toBe(true);
      const all = [...now.values()];
      expect(classPercent).toBe(Math.round((100 * all.reduce((sum, one) => sum + one, 0)) / (20 * all.length)));
      shown = classPercent;
      changedSince.clear();
    }
    expect(moved).toBeGreaterThan(3);
    expect(await differences()).toEqual([]);
  });

  test('who moves stays in what is shown of the class that they were in, and fewer than five are withheld', async () => {
    const { testId } = await shownTest();
    const percent = async () => (await card(testId)).classPercent;
    const totals = Object.fromEntries(studentNames.slice(0, 8).map((short, index) => [short, [index + 10]]));
    await upload(leader, testId, Object.fromEntries(Object.entries(totals).slice(0, 4)));
    expect(await percent()).toBeNull();
    await upload(leader, testId, totals);
    expect(await percent()).toBe(68);
    await place(['B4', 'A2', 'A3', 'A4', 'B3'], school.ids.setB);
    expect(await percent()).toBe(68);
    await place(['A2', 'A3', 'A4'], school.ids.setA);
    await everybodyInA();
  });

  test('no total is what the exact totals of a class leave of the averages of all', async () => {
    const { testId } = await shownTest();
    const { setA, setC } = school.ids;
    await place(['C4'], setC);
    // Beside the seven of the class: one who left a question out, and so has no total, and one of another class.
    const marks = [...studentNames.slice(0, 8), 'C4'].map((short, index) => [short, [index === 7 ? null : index % 6, index + 1, 3]]);
    await leader.done('UploadMarks', { ...marksFile(testId, Object.fromEntries(marks), [setA, setC]), fileName: 'marks.csv' });
    expect((await card(testId)).questions.map(({ average }) => average)).toEqual([43, 40, 60]);
    const totals = await A1.send(`/api/student/26?${new URLSearchParams({ SetID: setA, TestID: testId })}`);
    expect(await totals.json()).toEqual([4, 6, 8, 10, 10, 12, 14].map((Total) => ({ Total })));
    await everybodyInA();
  });

  test('above the class is judged by the exact mean of the snapshot, as staff are told it', async () => {
    const { testId } = await shownTest();
    const totals = [13, 10, 10, 10, 10, 10, 10, 10, 9, 9, 9, 9];
    await upload(leader, testId, Object.fromEntries(studentNames.map((short, index) => [short, [totals[index]]])));
    // 119 of 240: 65 is more than 15 points above 49.58, and not above the 50 that it is shown as.
    expect(await card(testId)).toMatchObject({ total: 13, percent: 65, classPercent: 50, against: 'higher' });
  });

  test('how much a claim about a topic is worth goes by the questions that have marks', async () => {
    const { testId } = await shownTest();
    const first = [5, 4, 2, 4, 2, 0, 4, 1, 3, 1, 5, 3];
    const second = [4, 5, 1, 0, 1, 2, 4, 3, 1, 1, 4, 3];
    const marks = Object.fromEntries(studentNames.map((short, index) => [short, [first[index], second[index], null]]));
    await leader.done('UploadMarks', { ...marksFile(testId, marks), fileName: 'marks.csv' });
    // Alpha of the two questions is above 0.5; a third one without marks would make it less.
    const { strengths, questions } = await card(testId);
    expect(strengths.map(({ weak }) => weak)).toEqual([false, false]);
    expect(questions[2]).toMatchObject({ average: null, value: null, rag: null });
  });

  test('a question’s average is of all who sat and have a total, or are five without; what is being typed waits', async () => {
    const { testId, questions } = await shownTest();
    const marks = Object.fromEntries(studentNames.slice(0, 6).map((short, index) => [short, [index < 5 ? 5 : null, 10, 2]]));
    await leader.done('UploadMarks', { ...marksFile(testId, marks), fileName: 'marks.csv' });
    const averages = async () => (await card(testId)).questions.map(({ average }) => average);
    expect(await averages()).toEqual([100, 100, 40]);
    for (const short of ['C1', 'C2', 'C3', 'C4']) await type(testId, short, { questionId: questions[0], is: 0, was: [] });
    expect(await averages()).toEqual([100, 100, 40]);
    for (const short of ['C1', 'C2', 'C3', 'C4'])
      for (const questionId of questions.slice(1)) await type(testId, short, { questionId, is: 0, was: [] });
    expect(await averages()).toEqual([100, 100, 40]);
    await type(testId, 'B4', { questionId: questions[0], is: 0, was: [] });
    await type(testId, 'B4', { questionId: questions[1], is: 0, was: [] });
    expect(await averages()).toEqual([100, 100, 40]);
    await type(testId, 'B4', { questionId: questions[2], is: 0, was: [] });
    expect(await averages()).toEqual([50, 50, 20]);
    expect(await differences()).toEqual([]);
  });
});
