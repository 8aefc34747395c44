import { test } from 'vitest';
import { OpenSchool, RenameSchool } from '../../../api/commands/school.ts';
import { given } from '../../support/decider.ts';

const opened = { type: 'SchoolOpened', data: { name: 'Hill School' } } as const;

test('a school is opened once', () => {
  given([]).when(OpenSchool, { name: ' Hill School ' }).then([opened]);
  given([opened]).when(OpenSchool, { name: 'Hill School' }).refused('This school is open already.');
});

test('a school that is there can be renamed', () => {
  given([opened])
    .when(RenameSchool, { name: 'Dale School' })
    .then([{ type: 'SchoolRenamed', data: { name: 'Dale School' } }]);
  given([opened]).when(RenameSchool, { name: 'Hill School' }).nothing();
  given([opened, { type: 'SchoolRenamed', data: { name: 'Dale School' } }])
    .when(RenameSchool, { name: 'Dale School' })
    .nothing();
  given([]).when(RenameSchool, { name: 'Dale School' }).refused('There is no such school.');
  given([opened]).when(RenameSchool, { name: ' ' }).invalid('Required.');
});
