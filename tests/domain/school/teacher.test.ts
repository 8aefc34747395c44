import { describe, test } from 'vitest';
import {
  AddTeacher,
  ChangeTeacher,
  LetTeacherLeave,
  RemoveTeacher,
  RestoreTeacher,
} from '../../../api/school/teachers/teacher.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id, made, tagOf } from '../../support/decider.ts';
import { school, set, setId, subjectId } from '../../support/subject.ts';

const teacherId = id('hughes');
const teacher = (name: string): Happened => ({
  type: 'TeacherAdded',
  data: { teacherId: id(name), person: { name, tag: tagOf('teacher-name', name) } },
});

const addTeacher = deciding(AddTeacher, { subjectId });
const changeTeacher = deciding(ChangeTeacher, { subjectId, teacherId });
const removeTeacher = deciding(RemoveTeacher, { subjectId, teacherId });

describe('a teacher', () => {
  const hughes = [...school, teacher('hughes')];
  test('has a name of their own in the subject, whatever the spelling', () => {
    const data = { teacherId: made('teacher'), person: { name: 'Hughes', tag: tagOf('teacher-name', 'hughes') } };
    addTeacher(school, { name: 'Hughes' }).then([{ type: 'TeacherAdded', data }]);
    addTeacher(hughes, { name: 'HUGHES' }).refused('Teacher name needs to be unique', 'name');
    addTeacher([], { name: 'Hughes' }).refused('There is no such subject.');
  });
  test('is renamed to a name of their own', () => {
    const renamed = [
      ...hughes,
      { type: 'TeacherRenamed', data: { teacherId, person: { name: 'Shah', tag: tagOf('teacher-name', 'shah') } } },
    ] as const;
    changeTeacher(hughes, { name: 'Shah' }).then([
      { type: 'TeacherRenamed', data: { teacherId, person: { name: 'Shah', tag: tagOf('teacher-name', 'shah') } } },
    ]);
    changeTeacher([...hughes, teacher('shah')], { name: 'Shah' }).refused('Teacher name needs to be unique', 'name');
    changeTeacher(hughes, { name: 'HUGHES' }).events();
    changeTeacher(renamed, { name: 'Shah' }).then([]);
    changeTeacher(school, { name: 'Shah' }).refused('There is no such teacher.');
  });
  test('teaches sets of the subject, each once', () => {
    const assigned: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } };
    changeTeacher(hughes, { setIds: [setId, setId] }).then([{ type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } }]);
    changeTeacher([...hughes, assigned], { setIds: [setId] }).nothing();
    changeTeacher(hughes, { setIds: [id('11S')] }).refused('There is no such set.', 'setIds');
    changeTeacher(school, { setIds: [] }).refused('There is no such teacher.');
  });
  test('goes once, and their name is free again', () => {
    const removed: Happened = { type: 'TeacherRemoved', data: { teacherId } };
    removeTeacher(hughes).then([{ type: 'TeacherRemoved', data: { teacherId } }]);
    removeTeacher([...hughes, removed]).nothing();
    addTeacher([...hughes, removed], { name: 'Hughes' }).events();
  });
});

describe('a teacher changed by one form', () => {
  const before = [...school, teacher('hughes'), teacher('shah')];
  test('changes in name and classes, all of it or nothing', () => {
    changeTeacher(before, { name: 'Hughes-Lee', setIds: [setId] }).then([
      { type: 'TeacherRenamed', data: { teacherId, person: { name: 'Hughes-Lee', tag: tagOf('teacher-name', 'Hughes-Lee') } } },
      { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } },
    ]);
    changeTeacher(before, { name: 'hughes', setIds: [] }).nothing();
    changeTeacher(before, { name: 'SHAH', setIds: [setId] }).refused('Teacher name needs to be unique', 'name');
    changeTeacher(before, { name: 'Hughes-Lee', setIds: [id('none')] }).refused('There is no such set.', 'setIds');
    changeTeacher(school).refused('There is no such teacher.');
  });
  test('keeps a class that is deleted, until it is back', () => {
    const taught: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId, id('11B')] } };
    const gone: Happened = { type: 'SetDeleted', data: { setId } };
    changeTeacher([...before, set('11B'), taught, gone], { setIds: [] }).then([
      { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } },
    ]);
  });
});

describe('a teacher who leaves', () => {
  const taught = (of: string, ...setIds: readonly string[]): Happened => ({
    type: 'TeacherSetsAssigned',
    data: { teacherId: id(of), setIds: [...setIds] },
  });
  const before = [...school, set('11B'), teacher('hughes'), teacher('shah'), taught('hughes', setId, id('11B')), taught('shah', setId)];
  const leave = deciding(LetTeacherLeave, { subjectId, teacherId });
  const to = (...takers: readonly (string | null)[]) => ({
    handOver: takers.map((taker, index) => ({ setId: [setId, id('11B')][index], to: taker })),
  });
  test('hands each class over, or to nobody yet; who has it already has it once', () => {
    const removed = { type: 'TeacherRemoved', data: { teacherId } } as const;
    leave(before, to(id('shah'), id('shah'))).then([
      { type: 'TeacherSetsAssigned', data: { teacherId: id('shah'), setIds: [setId, id('11B')] } },
      removed,
    ]);
    leave(before, to(null, null)).then([removed]);
    leave([...before, removed], to(null, null)).nothing();
  });
  test('names every class that they have, and no other, and somebody who is there', () => {
    const changed = /^Somebody else has changed the classes of this teacher meanwhile/;
    leave(before, to(null)).refused(changed);
    leave([...before, taught('hughes', setId)], to(null, null)).refused(changed);
    leave(before, { handOver: [...to(null, null).handOver, { setId, to: id('shah') }] }).refused(changed);
    leave(before, to(null, teacherId)).refused('There is no such teacher.', 'handOver.1.to');
    leave(before, to(id('bell'), null)).refused('There is no such teacher.', 'handOver.0.to');
    leave(school, to()).refused('There is no such teacher.');
  });
});

describe('a teacher who was removed', () => {
  const taught: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } };
  const removed: Happened = { type: 'TeacherRemoved', data: { teacherId } };
  const before = [...school, teacher('hughes'), taught, removed];
  const restoreTeacher = deciding(RestoreTeacher, { subjectId, teacherId });
  test('comes back with their classes', () => {
    restoreTeacher(before).then([{ type: 'TeacherRestored', data: { teacherId } }]);
    changeTeacher([...before, { type: 'TeacherRestored', data: { teacherId } }], { setIds: [setId] }).nothing();
    restoreTeacher([...school, teacher('hughes')]).nothing();
    restoreTeacher(school).refused('There is no such teacher.');
  });
  test('stays away where another one has the name, or when they were forgotten', () => {
    const namesake: Happened = {
      type: 'TeacherAdded',
      data: { teacherId: id('namesake'), person: { name: 'Hughes', tag: tagOf('teacher-name', 'hughes') } },
    };
    restoreTeacher([...before, namesake]).refused('There is another teacher called hughes now: rename that one first.');
    restoreTeacher([...before, { type: 'TeacherForgotten', data: { teacherId } }]).refused('This person was forgotten');
  });
});
