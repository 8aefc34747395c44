/** The events of a school's marks: uploads by class, typed corrections, repeated uploads, undone uploads. */
import { randomUUID } from 'node:crypto';
import { type MarkChange, toColumns } from '../../events/codec/columnar.ts';
import { newId } from '../../events/codec/ids.ts';
import type { Draft } from './draft.ts';
import type { HistorySchool } from './school.ts';

/** The school's current marks, which the next change refers to as seen. */
export class Marks {
  readonly #school: HistorySchool;
  readonly #random: () => number;
  /** by item (a question, or the test for a total), then by student */
  readonly #values = new Map<string, Map<string, number>>();
  /** changes of cells so far */
  changes = 0;

  constructor(school: HistorySchool, seed: number) {
    this.#school = school;
    this.#random = randomOf(seed);
  }

  /** The year of a typical school: every test of every class as a file, then corrections. */
  *year(): Generator<Draft> {
    const { tests, classes } = this.#school;
    for (const group of classes.keys()) yield* this.#totals(group);
    for (const test of tests.keys()) {
      for (const group of classes.keys()) {
        yield* this.#classFile(test, group);
        if (this.#chance(0.1)) yield* this.#upload(test, group, this.#cells(test, group, 0.05));
        for (const cell of this.#cells(test, group, 0.02)) yield* this.#typed(group, [[cell]]);
      }
    }
  }

  /** Endless typing: sittings of 40 saves of one cell each, all over the school. */
  *typing(): Generator<Draft> {
    const { tests, classes } = this.#school;
    for (;;) {
      const [test, group] = [this.#below(tests.length), this.#below(classes.length)];
      const all = this.#cells(test, group, 1);
      const from = this.#below(Math.max(1, all.length - 40));
      yield* this.#typed(
        group,
        all.slice(from, from + 40).map((cell) => [cell]),
      );
    }
  }

  /** One file in twenty is a wrong one: it is undone, and the right one uploaded. */
  *#classFile(test: number, group: number): Generator<Draft> {
    if (this.#chance(0.05)) {
      const wrong = this.#cells(test, group, 1);
      const [upload] = this.#upload(test, group, wrong);
      yield upload!;
      yield this.#undo(upload!);
      this.changes += wrong.length;
      for (const { item, studentId } of wrong) this.#values.get(item)?.delete(studentId);
    }
    yield* this.#upload(test, group, this.#cells(test, group, 1));
  }

  *#totals(group: number): Generator<Draft> {
    const { tests, classes } = this.#school;
    const changes = classes[group]!.flatMap((studentId) =>
      tests.map(({ testId }) => this.#change({ kind: 'total', testId }, studentId, 150)),
    );
    yield this.#file('TotalsUploaded', group, changes);
  }

  *#upload(test: number, group: number, cells: readonly Place[]): Generator<Draft> {
    if (cells.length > 0) {
      const changes = cells.map(({ item, studentId }) => this.#mark(test, item, studentId));
      yield this.#file('MarksUploaded', group, changes);
    }
  }

  #file(type: 'TotalsUploaded' | 'MarksUploaded', group: number, changes: readonly MarkChange[]): Draft {
    const { subjectId } = this.#school;
    const commandId = randomUUID();
    const event = { type, data: { subjectId, marks: toColumns(changes), about: { fileName: `class ${group + 1}.csv` } } } as const;
    return { ...this.#by(group), stream: this.#entry(newId(commandId, 'entry')), commandId, event };
  }

  *#typed(group: number, saves: readonly (readonly Place[])[]): Generator<Draft> {
    const { subjectId } = this.#school;
    const stream = this.#entry(randomUUID());
    for (const [at, cells] of saves.entries()) {
      const marks = toColumns(cells.map(({ test, item, studentId }) => this.#mark(test, item, studentId)));
      yield { ...this.#by(group), stream, event: { type: 'MarksEntered', data: { subjectId, seq: at + 1, marks, refused: [] } } };
    }
  }

  #undo({ stream, commandId, ...draft }: Draft): Draft {
    const entryId = stream.slice(stream.indexOf('.') + 1);
    const event = { type: 'CommandUndone', data: { entryId, commandId: commandId! } } as const;
    return { ...draft, stream: stream.replace('entry-', 'undo-'), event };
  }

  #mark(test: number, item: string, studentId: string): MarkChange {
    return this.#change({ kind: 'mark', testId: this.#school.tests[test]!.testId, questionId: item }, studentId, 4);
  }

  /** A change to a different value. */
  #change(cell: MarkChange['cell'], studentId: string, max: number): MarkChange {
    const item = cell.questionId ?? cell.testId;
    const values = this.#values.get(item) ?? new Map<string, number>();
    this.#values.set(item, values);
    const was = values.get(studentId);
    const is = was === undefined ? this.#below(max + 1) : (was + 1 + this.#below(max)) % (max + 1);
    values.set(studentId, is);
    this.changes += 1;
    return { cell, studentId, max, is, was: was === undefined ? [] : [was] };
  }

  /** A random part of a class's cells on a test, student by student. */
  #cells(test: number, group: number, chance: number): Place[] {
    const { tests, classes } = this.#school;
    return classes[group]!.flatMap((studentId) =>
      tests[test]!.questionIds.flatMap((item) => (chance >= 1 || this.#chance(chance) ? [{ test, item, studentId }] : [])),
    );
  }

  #by(group: number): Pick<Draft, 'schoolId' | 'accountId'> {
    return { schoolId: this.#school.schoolId, accountId: this.#school.teachers[group]! };
  }

  #entry(entryId: string): string {
    return `entry-${this.#school.schoolId}.${entryId}`;
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}

/** Typing in these schools, in turn. */
export function* typingIn(schools: readonly HistorySchool[], events: number): Generator<Draft> {
  const years = schools.map((school, seed) => new Marks(school, seed).typing());
  for (let number = 0; number < events; number++) yield years[number % years.length]!.next().value as Draft;
}

type Place = { readonly test: number; readonly item: string; readonly studentId: string };

/** Random numbers from a seed (mulberry32). */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};
