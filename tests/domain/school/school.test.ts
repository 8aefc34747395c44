import { test } from 'vitest';
import { OpenSchool, OpenStructureToLeaders, RenameSchool } from '../../../api/school/school.commands.ts';
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

test('its structure is opened to leaders and closed again, and stays so under another name', () => {
  const structureOpened = { type: 'SchoolStructureOpened', data: {} } as const;
  given([opened]).when(OpenStructureToLeaders, { open: true }).then([structureOpened]);
  given([opened]).when(OpenStructureToLeaders, { open: false }).nothing();
  given([opened, structureOpened, { type: 'SchoolRenamed', data: { name: 'Dale School' } }])
    .when(OpenStructureToLeaders, { open: true })
    .nothing();
  given([opened, structureOpened])
    .when(OpenStructureToLeaders, { open: false })
    .then([{ type: 'SchoolStructureClosed', data: {} }]);
  given([]).when(OpenStructureToLeaders, { open: true }).refused('There is no such school.');
});
