import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImportStudents } from '../../../api/students/import.commands.ts';
import { ChangeStudents, UndoRosterChange } from '../../../api/students/roster-changes.commands.ts';
import { AddStudent } from '../../../api/students/roster.commands.ts';
import type { AnyCommand } from '../../../api/common/command.ts';
import { Refused } from '../../../api/common/command.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, given, id, stateOf } from '../../support/decider.ts';
import { subjectId } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';

/**
 * Random years of a school: students are added, renamed, given other StudentIDs, exchanged, moved, removed and imported; sets are deleted
 * and restored; and any of that is undone, and any undo too, in any order. Names, StudentIDs and sets are few, so that they meet.
 *
 * The model knows no events and no histories: it is the list of what people said, and what is undone is left out when it is read.
 */
type Fields = { no: string; name: string; born: string | null; place: string | undefined };
type Field = keyof Fields;
type Said = { readonly student: number; readonly field: Field; readonly is: string | null | undefined; undone: boolean };
type Command = { readonly key: string; readonly of: string; readonly undoes: boolean };

type Act =
  | { do: 'add'; no: string; name: string; set: string }
  | { do: 'change'; no: string; to: Partial<Omit<Fields, 'place'>>; place: string | undefined }
  | { do: 'exchange'; no: string; with: string }
  | { do: 'import'; rows: { no: string; name: string; set: string }[]; others: 'keep' | 'off-roll' | 'remove' }
  | { do: 'undo'; which: number }
  | { do: 'sets'; set: string };

const no = fc.constantFrom('1', '2', '3', '4');
const name = fc.constantFrom('Ann', 'Ben', 'Cem');
const born = fc.constantFrom(null, '2009-01-31', '2010-02-28');
const set = fc.constantFrom('11A', '11B', '11C');
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add'), no, name, set }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('change'),
      no,
      to: fc.record({ no, name, born }, { requiredKeys: [] }),
      place: fc.constantFrom(undefined, undefined, '11A', '11B', '11C', 'off-roll', 'removed'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('exchange'), no, with: no }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('import'),
      rows: fc.uniqueArray(fc.record({ no, name, set: fc.constantFrom('11A', '11B', '11C', 'Off-Roll') }), {
        selector: (row) => row.no,
        minLength: 1,
        maxLength: 3,
      }),
      others: fc.constantFrom('keep', 'off-roll', 'remove'),
    }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('undo'), which: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sets'), set }) },
);

class Model {
  /** Details with which the school got to know a student: these are not undone. */
  readonly #known: Omit<Fields, 'place'>[] = [];
  readonly said: (Said & { readonly key: string })[] = [];

  now(): Fields[] {
    const all = this.#known.map((known): Fields => ({ ...known, place: undefined }));
    for (const { student, field, is, undone } of this.said) if (!undone) Object.assign(all[student]!, { [field]: is });
    return all;
  }

  /** @returns the student with this StudentID; undefined: nobody */
  whose(number: string): number | undefined {
    const found = this.now().findIndex((student) => student.no === number);
    return found < 0 ? undefined : found;
  }

  meet(details: Omit<Fields, 'place'>): number {
    return this.#known.push(details) - 1;
  }

  say(key: string, student: number, to: Partial<Fields>): void {
    const now = this.now()[student]!;
    for (const field of Object.keys(to) as Field[])
      if (to[field] !== now[field]) this.said.push({ key, student, field, is: to[field], undone: false });
  }

  /** What an undo flags, and what is in its way. */
  undo({ of, undoes }: Command, sets: ReadonlySet<string>): { done: number; kept: number; known: boolean } {
    const own = this.said.filter(({ key }) => key === of);
    const before = this.now();
    let flipped = own.filter(({ undone }) => undone !== !undoes);
    const most = flipped.length;
    for (;;) {
      for (const each of flipped) each.undone = !undoes;
      const after = this.now();
      const isWrong = ({ student, field }: Said): boolean => {
        const is = after[student]![field];
        if (is === before[student]![field]) return false;
        if (field === 'place') return is !== undefined && is !== null && is !== 'off-roll' && !sets.has(is);
        return field === 'no' && after.some((other, index) => index !== student && other.no === is);
      };
      const wrong = flipped.filter(isWrong);
      if (wrong.length === 0) return { done: flipped.length, kept: most - flipped.length, known: own.length > 0 };
      for (const each of flipped) each.undone = undoes;
      flipped = flipped.filter((each) => !wrong.includes(each));
    }
  }
}

class School {
  readonly happened: Happened[] = [];
  readonly sets = new Set(['11A', '11B', '11C']);

  get facts() {
    return { sets: [...this.sets].map((each) => ({ setId: id(each), name: each, yearGroupId: id('Year 11') })) };
  }

  /** @returns whether something was written; a refusal if it was refused */
  send(command: AnyCommand, input: object, key: string): boolean | Refused {
    const asked = given(this.happened).when(command, { subjectId, ...input }, this.facts, actor('admin'), key);
    const decided = asked.decided();
    if (decided instanceof Refused) return decided;
    this.happened.push(...decided.map((event) => ({ ...event, commandId: key })));
    return decided.length > 0;
  }

  idOf(number: string): string | undefined {
    return [...stateOf(this.happened).students].find(([, { person }]) => person?.admissionNo === number)?.[0];
  }

  now(): Fields[] {
    return [...stateOf(this.happened).students.values()].map(({ person, enrolments }) => ({
      no: person!.admissionNo,
      name: person!.name,
      born: person!.dateOfBirth,
      place: nameOfPlace(enrolments.get(subjectId)),
    }));
  }

  /** As the read model has it, which only takes over what the events list. */
  listed(): Fields[] {
    const all = new Map<string, Fields>();
    const described = ({
      studentId,
      person,
    }: {
      studentId: string;
      person: { admissionNo: string; name: string; dateOfBirth: string | null };
    }) => all.set(studentId, { place: all.get(studentId)?.place, no: person.admissionNo, name: person.name, born: person.dateOfBirth });
    const put = (studentId: string, place: string | undefined) => all.set(studentId, { ...all.get(studentId)!, place: nameOfPlace(place) });
    for (const { type, data } of this.happened) {
      if (type === 'StudentAdded' || type === 'StudentCorrected') described(data);
      if (type === 'StudentsImported') for (const each of data.added) described(each);
      if (type === 'StudentsImported' || type === 'RosterCommandUndone') for (const each of data.corrected) described(each);
      if (type === 'StudentAdded' || type === 'StudentEnrolled' || type === 'StudentMoved') put(data.studentId, data.setId);
      if (type === 'StudentsImported') for (const each of [...data.added, ...data.enrolled, ...data.moved]) put(each.studentId, each.setId);
      if (type === 'RosterCommandUndone') for (const each of data.placed) put(each.studentId, each.setId);
      if (type === 'StudentsImported' || type === 'RosterCommandUndone') {
        for (const each of data.offRolled) put(each, 'off-roll');
        for (const each of data.removed) put(each, undefined);
      }
      if (type === 'StudentTakenOffRoll') put(data.studentId, 'off-roll');
      if (type === 'StudentRemoved') put(data.studentId, undefined);
    }
    return [...all.values()];
  }
}

const nameOfPlace = (place: string | undefined): string | undefined => ['11A', '11B', '11C'].find((each) => id(each) === place) ?? place;
const sorted = (all: readonly Fields[]): string[] => all.map((each) => `${each.no} ${each.name} ${each.born} ${each.place}`).toSorted();

const play = (acts: readonly Act[]): void => {
  const model = new Model();
  const school = new School();
  const commands: Command[] = [];
  for (const [index, step] of acts.entries()) {
    const key = id(`act ${index}`);
    const wrote = (command: AnyCommand, input: object): boolean =>
      school.send(command, input, key) === true && commands.push({ key, of: key, undoes: false }) > 0;
    switch (step.do) {
      case 'sets':
        if (!school.sets.delete(step.set)) school.sets.add(step.set);
        break;
      case 'add': {
        const input = { setId: id(step.set), admissionNo: step.no, name: step.name, dateOfBirth: null };
        const details = { no: step.no, name: step.name };
        const before = model.whose(step.no);
        if (wrote(AddStudent, input)) model.say(key, before ?? model.meet({ ...details, born: null }), { ...details, place: step.set });
        break;
      }
      case 'change': {
        const student = model.whose(step.no);
        if (student === undefined) break;
        const now = model.now()[student]!;
        const to = { no: now.no, name: now.name, born: now.born, ...step.to };
        const { place } = step;
        const change = {
          studentId: school.idOf(step.no),
          details: { admissionNo: to.no, name: to.name, dateOfBirth: to.born },
          ...(place === undefined ? {} : { place: place === 'off-roll' || place === 'removed' ? place : { setId: id(place) } }),
        };
        const put = place === undefined ? {} : { place: place === 'removed' ? undefined : place };
        if (wrote(ChangeStudents, { changes: [change] })) model.say(key, student, { ...to, ...put });
        break;
      }
      case 'exchange': {
        const [one, other] = [model.whose(step.no), model.whose(step.with)];
        if (one === undefined || other === undefined || one === other) break;
        const detailsOf = (student: number, admissionNo: string) => {
          const { name: called, born: dateOfBirth } = model.now()[student]!;
          return { admissionNo, name: called, dateOfBirth };
        };
        const changes = [
          { studentId: school.idOf(step.no), details: detailsOf(one, step.with) },
          { studentId: school.idOf(step.with), details: detailsOf(other, step.no) },
        ];
        if (wrote(ChangeStudents, { changes })) {
          model.say(key, one, { no: step.with });
          model.say(key, other, { no: step.no });
        }
        break;
      }
      case 'import': {
        const rows = step.rows.map((row) => ({ admissionNo: row.no, name: row.name, set: row.set, dateOfBirth: null }));
        if (
          !wrote(ImportStudents, { fileName: 'file.csv', rows, others: step.others, othersIn: [id('Year 11'), 'off-roll'], correct: true })
        )
          break;
        const before = model.now();
        for (const row of step.rows) {
          const known = before.findIndex((student) => student.no === row.no);
          if (known < 0 && row.set === 'Off-Roll') continue;
          const student = known < 0 ? model.meet({ no: row.no, name: row.name, born: null }) : known;
          const isLeftOut = row.set === 'Off-Roll' && before[known]?.place === undefined;
          const place = row.set === 'Off-Roll' ? 'off-roll' : row.set;
          model.say(key, student, { name: row.name, ...(isLeftOut ? {} : { place }) });
        }
        if (step.others === 'keep') break;
        for (const [student, { no: number, place }] of before.entries())
          if (place !== undefined && !step.rows.some((row) => row.no === number))
            model.say(key, student, { place: step.others === 'remove' ? undefined : 'off-roll' });
        break;
      }
      case 'undo': {
        const target = commands[step.which % (commands.length || 1)];
        if (!target) break;
        const expected = model.undo(target, school.sets);
        const outcome = school.send(UndoRosterChange, { commandId: target.key }, key);
        if (expected.done > 0) expect(outcome).toBe(true);
        else if (expected.kept > 0)
          expect(outcome).toMatchObject({ code: 'conflict', title: expect.stringMatching(/^Nothing was undone\. /) });
        else expect(outcome).toBe(false);
        if (outcome === true) commands.push({ key, of: target.of, undoes: !target.undoes });
        break;
      }
    }
    expect(sorted(school.now())).toEqual(sorted(model.now()));
    expect(sorted(school.listed())).toEqual(sorted(school.now()));
  }
};

describe('whatever is undone and redone, in any order', () => {
  test('students are as if what is undone had never been done', () => {
    fc.assert(fc.property(fc.array(act, { maxLength: 40 }), play), { numRuns: rounds(500, 2_000) });
  });
});
