import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnyCommand } from '../../../api/common/command.ts';
import { Refused } from '../../../api/common/command.ts';
import { ChangeSet, DeleteSet, RestoreSet } from '../../../api/school/sets/sets.commands.ts';
import { UndoAct } from '../../../api/school/subject.commands.ts';
import { AddTeacher, ChangeTeacher, RemoveTeacher } from '../../../api/school/teachers/teacher.commands.ts';
import { DeleteYearGroup, RenameYearGroup, RestoreYearGroup } from '../../../api/school/year-group.commands.ts';
import { subject } from '../../../events/school/subject.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, given, id } from '../../support/decider.ts';
import { rounds } from '../../support/rounds.ts';
import { school, schemeId, set, subjectId, yearGroupId } from '../../support/subject.ts';

const choices = { schemeIds: [schemeId], testIds: [id('mock'), id('other')] };
const empty = { schemeIds: [schemeId], students: new Map<string, number>() };
const twelve: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 12'), year: 12 } };
const start = [...school, set('11B'), twelve];

/** A subject, and commands given to it one after the other. */
class School {
  readonly happened: Happened[] = [...start];
  #last = 0;

  /** @returns the command's id; undefined: it was refused, or changed nothing */
  give(command: AnyCommand, input: object, facts: unknown = choices): string | undefined {
    const commandId = id(`command ${(this.#last += 1)}`);
    const decided = given(this.happened)
      .when(command, { subjectId, ...input }, facts, actor('admin'), commandId)
      .decided();
    if (decided instanceof Refused || decided.length === 0) return undefined;
    for (const event of decided) this.happened.push({ ...event, commandId });
    return commandId;
  }

  undo(actId: string, partly = true, known = empty): string | undefined {
    return this.give(UndoAct, { actId, partly }, known);
  }

  /** Who knows which things are there, and with what: what was deleted apart. */
  now() {
    const state = this.happened.reduce(
      (folded, { commandId = 'start', ...event }) => subject.evolve(folded, { ...event, metadata: { commandId } } as never),
      subject.initial(),
    );
    return { years: state.yearGroups, sets: state.sets, teachers: state.teachers };
  }
}

describe('an act is undone', () => {
  test('as far as nothing was changed since, which is said first', () => {
    const one = new School();
    const act = one.give(ChangeSet, { setId: id('11A'), name: '11Z', testIds: [id('mock')] }) ?? '';
    one.give(ChangeSet, { setId: id('11A'), name: '11Y', testIds: [id('mock'), id('other')] });
    const asked = given(one.happened).when(UndoAct, { subjectId, actId: act }, empty).refusal();
    expect([asked.code, asked.asks]).toEqual(['answers-needed', { stays: ['11Y: the name was changed again since, and stays.'] }]);
    one.undo(act);
    expect(one.now().sets.get(id('11A'))).toMatchObject({ name: '11Y', testIds: [id('other')] });
  });

  test('not where a set has students by now, or where its name is another one’s', () => {
    const one = new School();
    const deleted = one.give(DeleteSet, { setId: id('11B') }, { students: 0 }) ?? '';
    one.give(ChangeSet, { setId: id('11A'), name: '11B' });
    given(one.happened)
      .when(UndoAct, { subjectId, actId: deleted }, empty)
      .refused('Nothing was undone. There is another set called 11B now: rename or delete that one first.');
    const restored = new School();
    restored.give(DeleteSet, { setId: id('11B') }, { students: 0 });
    const back = restored.give(RestoreSet, { setId: id('11B') }) ?? '';
    given(restored.happened)
      .when(UndoAct, { subjectId, actId: back }, { ...empty, students: new Map([[id('11B'), 3]]) })
      .refused('Nothing was undone. 11B has 3 student(s): move them to another set or to Off-Roll first.');
  });
});

const setOf = fc.constantFrom(id('11A'), id('11B'));
const yearOf = fc.constantFrom(yearGroupId, id('year 12'));
const give = (command: AnyCommand, facts: unknown, input: fc.Arbitrary<object>) => input.map((body) => ({ command, facts, body }));
const noStudents = { students: 0 };
const acts = fc.array(
  fc.oneof(
    give(ChangeSet, choices, fc.record({ setId: setOf, name: fc.constantFrom('11A', '11B', '11C') })),
    give(ChangeSet, choices, fc.record({ setId: setOf, yearGroupId: yearOf, testIds: fc.subarray([id('mock'), id('other')]) })),
    give(DeleteSet, noStudents, fc.record({ setId: setOf })),
    give(RestoreSet, choices, fc.record({ setId: setOf })),
    give(RenameYearGroup, undefined, fc.record({ yearGroupId: yearOf, year: fc.constantFrom(11, 12, 13) })),
    give(DeleteYearGroup, noStudents, fc.record({ yearGroupId: yearOf })),
    give(RestoreYearGroup, choices, fc.record({ yearGroupId: yearOf })),
    give(AddTeacher, undefined, fc.record({ name: fc.constantFrom('Ann', 'Ben') })),
    { weight: 6, arbitrary: fc.nat(9).map((which) => ({ which })) },
  ),
  { minLength: 10, maxLength: 30 },
);

test('whatever is done and undone, names stay unique and every set has its year group; undone from the last on, all is as it was', () => {
  fc.assert(
    fc.property(acts, (given_) => {
      const one = new School();
      const before = one.now();
      const done: string[] = [];
      for (const act of given_) {
        const commandId = 'which' in act ? one.undo(done.at(-1 - act.which) ?? id('none')) : one.give(act.command, act.body, act.facts);
        if (commandId !== undefined) done.push(commandId);
        const { years, sets, teachers } = one.now();
        const unique: readonly (readonly unknown[])[] = [
          [...years.values()],
          [...sets.values()].map(({ name }) => name),
          [...teachers.values()].map(({ tag }) => tag),
        ];
        for (const names of unique) expect(new Set(names).size).toBe(names.length);
        expect([...sets.values()].every((of) => years.has(of.yearGroupId))).toBe(true);
      }
      for (const commandId of done.toReversed()) one.undo(commandId);
      expect(one.now()).toEqual(before);
    }),
    { numRuns: rounds(300) },
  );
});

test('a teacher’s classes go back without those that were given since', () => {
  const one = new School();
  const added = one.give(AddTeacher, { name: 'Ann' }, undefined) ?? '';
  const teacherId = [...one.now().teachers.keys()][0];
  const act = one.give(ChangeTeacher, { teacherId, setIds: [id('11A')] }, undefined) ?? '';
  one.give(ChangeTeacher, { teacherId, setIds: [id('11A'), id('11B')] }, undefined);
  one.undo(act);
  expect(one.now().teachers.get(teacherId ?? '')?.setIds).toEqual([id('11B')]);
  one.undo(added);
  expect(one.now().teachers.size).toBe(0);
  expect(one.give(RemoveTeacher, { teacherId }, undefined)).toBeUndefined();
});
