import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FEWEST, LEFT_OUT, type Mark, Snapshot } from '../../../projections/marks/snapshots.ts';
import { rounds } from '../../support/rounds.ts';

const nobody: ReadonlySet<string> = new Set();
const QUESTIONS = ['q1', 'q2'];
type Sheet = { readonly total: Mark; readonly marks: readonly Mark[] };
type Group = ReadonlyMap<string, Mark>;

/** A class of so many, whose totals are what their marks say. */
const classOf = (count: number, mark = 3, snapshot = new Snapshot()): Snapshot => {
  for (let student = 0; student < count; student++) {
    const marks = [mark + student, 2];
    snapshot.change(`s${student}`, mark + student + 2, new Map(QUESTIONS.map((question, index) => [question, marks[index] ?? null])));
  }
  return snapshot;
};

test('a student counts once however often they change, and not at all once they are back where they were', () => {
  const snapshot = new Snapshot();
  for (const total of [3, 4, 5, 6]) snapshot.change('a', total, new Map());
  for (const student of ['b', 'c', 'd']) snapshot.change(student, 10, new Map());
  snapshot.change('e', 9, new Map());
  snapshot.change('e', null, new Map());
  expect(snapshot.settle(nobody)).toBe(false);
  snapshot.change('e', 8, new Map());
  expect(snapshot.settle(nobody)).toBe(true);
  expect(snapshot.figures.totals).toEqual([6, 8, 10, 10, 10]);
  expect(snapshot.stored.waiting).toEqual({});
});

test('whoever is unfinished waits, and does not hold up five others', () => {
  const snapshot = classOf(6);
  expect(snapshot.settle(new Set(['s1', 's4']))).toBe(false);
  expect(snapshot.settle(new Set(['s4']))).toBe(true);
  expect([...snapshot.shown.keys()]).not.toContain('s4');
});

test('whoever has marks and no total waits until they are five, and left out counts 0', () => {
  const snapshot = classOf(5);
  snapshot.change(
    'blank',
    null,
    new Map([
      ['q1', LEFT_OUT],
      ['q2', 9],
    ]),
  );
  snapshot.settle(nobody);
  expect(snapshot.figures).toMatchObject({ n: 5, questions: { q2: { marked: 5, sum: 10 } } });
  for (const student of ['v', 'w', 'x', 'y'])
    snapshot.change(
      student,
      null,
      new Map([
        ['q1', LEFT_OUT],
        ['q2', 9],
      ]),
    );
  snapshot.settle(nobody);
  expect(snapshot.figures).toMatchObject({ n: 10, questions: { q1: { marked: 5, sum: 25 }, q2: { marked: 10, sum: 55, squares: 425 } } });
});

test('a class that handed in totals first, and marks of all but two, is shown the marks of all but five', () => {
  const snapshot = new Snapshot();
  for (let student = 0; student < 12; student++) snapshot.change(`s${student}`, student + 5, new Map());
  snapshot.settle(nobody);
  classOf(10, 3, snapshot).settle(nobody);
  expect(snapshot.figures).toMatchObject({ totals: { length: 12 }, n: 7 });
});

test('what an undo brings back is shown again, and not with one who was corrected meanwhile', () => {
  const snapshot = classOf(8);
  snapshot.settle(nobody);
  const first = snapshot.figures;
  classOf(8, 5, snapshot).settle(nobody);
  expect(snapshot.figures).not.toEqual(first);
  classOf(8, 3, snapshot);
  snapshot.change('s0', 99, new Map());
  snapshot.settle(nobody);
  expect(snapshot.figures.totals).not.toContain(99);
  classOf(8, 3, snapshot).settle(nobody);
  expect(snapshot.figures).toEqual(first);
});

const act = fc.record({
  kind: fc.constantFrom('totals', 'marks', 'absent', 'move', 'undo'),
  who: fc.uniqueArray(fc.nat(29), { size: 'max', maxLength: 30 }),
  value: fc.nat(3),
  /** in six, who leaves a question out */
  left: fc.nat(5),
  /** the last one: off roll */
  set: fc.nat(3),
});
const school = fc.record({ size: fc.integer({ min: 1, max: 30 }), acts: fc.array(act, { size: 'max', maxLength: 14 }) });
const NOTHING: Sheet = { total: null, marks: [null, null] };

test('in no small school do two groups that one student reads, on any day, differ by one to four people', () => {
  fc.assert(
    fc.property(school, fc.integer({ min: 1, max: 3 }), ({ size, acts }, sets) => {
      const sheets = Array.from({ length: size }, (_, student) => ({ set: student % sets, shownIn: -1, ...NOTHING }));
      const undoable: [number, Sheet][][] = [];
      const stored = Array.from({ length: sets + 1 }, () => new Snapshot().stored);
      const read: Group[][] = [[], [], []];
      for (const { kind, who, value, left, set } of acts) {
        const students = [...new Set(who.map((one) => one % size))].map((student) => [student, sheets[student]!] as const);
        if (kind === 'move') for (const [, sheet] of students) sheet.set = Math.min(set, sets);
        const now =
          kind === 'move'
            ? []
            : kind === 'undo'
              ? (undoable.pop() ?? [])
              : students.map(([student, { marks }]) => [student, written(kind, student, value, left, marks)] as const);
        if (now.length > 0 && kind !== 'undo') undoable.push(students.map(([student, { total, marks }]) => [student, { total, marks }]));
        for (const at of stored.keys()) {
          const snapshot = new Snapshot(stored[at]);
          for (const [student, { total, marks }] of now) {
            const sheet = sheets[student]!;
            if (sheet.shownIn === -1) sheet.shownIn = sheet.set;
            if (sheet.shownIn !== at) continue;
            Object.assign(sheet, { total, marks });
            const ofQuestions = new Map(QUESTIONS.map((question, index) => [question, marks[index] ?? null]));
            snapshot.change(`s${student}`, at === sets ? null : total, ofQuestions);
          }
          snapshot.settle(nobody);
          stored[at] = snapshot.stored;
        }
        groupsRead(stored.map((one) => new Snapshot(one).shown)).forEach((groups, figure) => read[figure]?.push(...groups));
      }
      expect(read.flatMap((groups) => groups.filter((one) => groups.some((other) => isFew(one, other))))).toEqual([]);
    }),
    { numRuns: rounds(150, 1_000) },
  );
});

/** What an upload of totals or of marks, or an absence makes of a sheet. */
const written = (kind: string, student: number, value: number, left: number, before: Sheet['marks']): Sheet => {
  if (kind === 'absent') return NOTHING;
  if (kind === 'totals') return { total: value + (student % 4), marks: before };
  const marks = [value, student % 6 === left ? LEFT_OUT : student % 3];
  return { total: marks.includes(LEFT_OUT) ? null : marks.reduce((sum, mark) => sum + mark, 0), marks };
};

/** What can be subtracted: the totals of each class and the sums of all classes; and each question, of all classes. */
const groupsRead = (classes: readonly ReadonlyMap<string, readonly Mark[]>[]): Group[][] => {
  const group = (of: (part: readonly Mark[]) => Mark, those = classes): Group =>
    new Map(those.flatMap((one) => [...one].map(([student, part]) => [student, of(part)] as const)));
  const sum = ([, ...marks]: readonly Mark[]): Mark =>
    marks.every((mark) => mark === null) ? null : marks.reduce<number>((all, mark) => all + Math.max(0, mark ?? 0), 0);
  const totals = classes.map((one) => group((part) => part[0] ?? null, [one]));
  return [[...totals, group(sum)], ...QUESTIONS.map((_, index) => [group((part) => part[index + 1] ?? null)])];
};

const isFew = (one: Group, other: Group): boolean => {
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter((who) => (one.get(who) ?? null) !== (other.get(who) ?? null));
  return differing.length > 0 && differing.length < FEWEST;
};
