import { describe, test } from 'vitest';
import { AddTeacher, ChangeTeacher, RemoveTeacher, RestoreTeacher } from '../../../api/school/teachers/teacher.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made, tagOf } from '../../support/decider.ts';
import { school, set, setId, subjectId } from '../../support/subject.ts';

const teacherId = id('hughes');
const teacher = (name: string): Happened => ({
  type: 'TeacherAdded',
  data: { teacherId: id(name), person: { name, tag: tagOf('teacher-name', name) } },
});

describe('a teacher', () => {
  const hughes = [...school, teacher('hughes')];
  test('has a name of their own in the subject, whatever the spelling', () => {
    const data = { teacherId: made('teacher'), person: { name: 'Hughes', tag: tagOf('teacher-name', 'hughes') } };
    given(school)
      .when(AddTeacher, { subjectId, name: 'Hughes' })
      .then([{ type: 'TeacherAdded', data }]);
    given(hughes).when(AddTeacher, { subjectId, name: 'HUGHES' }).refused('Teacher name needs to be unique', 'name');
    given([]).when(AddTeacher, { subjectId, name: 'Hughes' }).refused('There is no such subject.');
  });
  test('is renamed to a name of their own', () => {
    const renamed = [
      ...hughes,
      { type: 'TeacherRenamed', data: { teacherId, person: { name: 'Shah', tag: tagOf('teacher-name', 'shah') } } },
    ] as const;
    given(hughes)
      .when(ChangeTeacher, { subjectId, teacherId, name: 'Shah' })
      .then([{ type: 'TeacherRenamed', data: { teacherId, person: { name: 'Shah', tag: tagOf('teacher-name', 'shah') } } }]);
    given([...hughes, teacher('shah')])
      .when(ChangeTeacher, { subjectId, teacherId, name: 'Shah' })
      .refused('Teacher name needs to be unique', 'name');
    given(hughes).when(ChangeTeacher, { subjectId, teacherId, name: 'HUGHES' }).events();
    given(renamed).when(ChangeTeacher, { subjectId, teacherId, name: 'Shah' }).then([]);
    given(school).when(ChangeTeacher, { subjectId, teacherId, name: 'Shah' }).refused('There is no such teacher.');
  });
  test('teaches sets of the subject, each once', () => {
    const assigned: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } };
    given(hughes)
      .when(ChangeTeacher, { subjectId, teacherId, setIds: [setId, setId] })
      .then([{ type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } }]);
    given([...hughes, assigned])
      .when(ChangeTeacher, { subjectId, teacherId, setIds: [setId] })
      .nothing();
    given(hughes)
      .when(ChangeTeacher, { subjectId, teacherId, setIds: [id('11S')] })
      .refused('There is no such set.', 'setIds');
    given(school).when(ChangeTeacher, { subjectId, teacherId, setIds: [] }).refused('There is no such teacher.');
  });
  test('goes once, and their name is free again', () => {
    const removed: Happened = { type: 'TeacherRemoved', data: { teacherId } };
    given(hughes)
      .when(RemoveTeacher, { subjectId, teacherId })
      .then([{ type: 'TeacherRemoved', data: { teacherId } }]);
    given([...hughes, removed])
      .when(RemoveTeacher, { subjectId, teacherId })
      .nothing();
    given([...hughes, removed])
      .when(AddTeacher, { subjectId, name: 'Hughes' })
      .events();
  });
});

describe('a teacher changed by one form', () => {
  const before = [...school, teacher('hughes'), teacher('shah')];
  const change = { subjectId, teacherId };
  test('changes in name and classes, all of it or nothing', () => {
    given(before)
      .when(ChangeTeacher, { ...change, name: 'Hughes-Lee', setIds: [setId] })
      .then([
        { type: 'TeacherRenamed', data: { teacherId, person: { name: 'Hughes-Lee', tag: tagOf('teacher-name', 'Hughes-Lee') } } },
        { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } },
      ]);
    given(before)
      .when(ChangeTeacher, { ...change, name: 'hughes', setIds: [] })
      .nothing();
    given(before)
      .when(ChangeTeacher, { ...change, name: 'SHAH', setIds: [setId] })
      .refused('Teacher name needs to be unique', 'name');
    given(before)
      .when(ChangeTeacher, { ...change, name: 'Hughes-Lee', setIds: [id('none')] })
      .refused('There is no such set.', 'setIds');
    given(school).when(ChangeTeacher, change).refused('There is no such teacher.');
  });
  test('keeps a class that is deleted, until it is back', () => {
    const taught: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId, id('11B')] } };
    const gone: Happened = { type: 'SetDeleted', data: { setId } };
    given([...before, set('11B'), taught, gone])
      .when(ChangeTeacher, { ...change, setIds: [] })
      .then([{ type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } }]);
  });
});

describe('a teacher who was removed', () => {
  const taught: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } };
  const removed: Happened = { type: 'TeacherRemoved', data: { teacherId } };
  const before = [...school, teacher('hughes'), taught, removed];
  const restore = { subjectId, teacherId };
  test('comes back with their classes', () => {
    given(before)
      .when(RestoreTeacher, restore)
      .then([{ type: 'TeacherRestored', data: { teacherId } }]);
    given([...before, { type: 'TeacherRestored', data: { teacherId } }])
      .when(ChangeTeacher, { ...restore, setIds: [setId] })
      .nothing();
    given([...school, teacher('hughes')])
      .when(RestoreTeacher, restore)
      .nothing();
    given(school).when(RestoreTeacher, restore).refused('There is no such teacher.');
  });
  test('stays away where another one has the name, or when they were forgotten', () => {
    const namesake: Happened = {
      type: 'TeacherAdded',
      data: { teacherId: id('namesake'), person: { name: 'Hughes', tag: tagOf('teacher-name', 'hughes') } },
    };
    given([...before, namesake])
      .when(RestoreTeacher, restore)
      .refused('There is another teacher called hughes now: rename that one first.');
    given([...before, { type: 'TeacherForgotten', data: { teacherId } }])
      .when(RestoreTeacher, restore)
      .refused('This person was forgotten');
  });
});
