import { expect, test } from 'vitest';
import {
  CreateGradeProfile,
  DeleteGradeProfile,
  EditGradeProfile,
  OpenGradeProfile,
  RestoreGradeProfile,
  SaveGrades,
} from '../../../api/tasks/grades/grade-profile.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, given, id } from '../../support/decider.ts';

const grades = [
  { label: '9', percent: 15 },
  { label: '8', percent: 85 },
];
const about = { subjectId: id('maths'), yearGroupId: id('year 11') };
const created: Happened = { type: 'GradeProfileCreated', data: { ...about, name: 'GCSE', grades } };
const deleted: Happened = { type: 'GradeProfileDeleted', data: {} };
const edit = { gradeProfileId: id('profile'), name: 'GCSE', grades };
const of = (...percents: readonly number[]) => ({ grades: percents.map((percent, index) => ({ label: `${9 - index}`, percent })) });

const createGradeProfile = deciding(CreateGradeProfile, { ...about, name: 'GCSE' });
const saveGrades = deciding(SaveGrades, { gradeProfileId: id('profile') });
const editGradeProfile = deciding(EditGradeProfile, edit);

test('a grade profile has a name, labels and whole percentages above 0 that add up to 100', () => {
  createGradeProfile([], { name: ' GCSE ', grades }).then([created]);
  createGradeProfile([], of(99)).invalid('The percentages must add up to 100 %: they add up to 99 %.');
  createGradeProfile([], of(60, 41)).invalid('The percentages must add up to 100 %: they add up to 101 %.');
  createGradeProfile([], of(50.5, 49.5)).invalid('The value must be an integer number');
  createGradeProfile([], of(100, 0)).invalid('The value must be greater than zero');
  createGradeProfile([], of(120, -20)).invalid('The value must be greater than zero');
  createGradeProfile([], { grades: [{ label: ' ', percent: 100 }] }).invalid('Required.');
  createGradeProfile([], { name: ' ', grades }).invalid('Required.');
  createGradeProfile([], of()).invalid('Required.');
  const twice = [
    { label: 'a', percent: 50 },
    { label: 'A', percent: 50 },
  ];
  createGradeProfile([], { grades: twice }).invalid('The grade A is in the list twice.');
  expect(createGradeProfile([], of(100)).events()).toHaveLength(1);
});

test('an edit replaces name and grades; the same again writes nothing; what somebody else has changed is not overwritten unseen', () => {
  editGradeProfile([created]).nothing();
  editGradeProfile([created], { name: 'Mock' }).then([{ type: 'GradeProfileEdited', data: { name: 'Mock', grades } }]);
  const mock: Happened = { type: 'GradeProfileEdited', data: { name: 'Mock', grades } };
  editGradeProfile([created, mock], { name: 'Trial', was: { name: 'GCSE', grades } }).refused(
    'Somebody else has changed this grade profile meanwhile. Reload to see it, then save yours again.',
  );
  expect(editGradeProfile([created, mock], { name: 'Trial', was: { name: 'Mock', grades } }).events()).toHaveLength(1);
});

test('it is deleted once, comes back, and is not edited meanwhile', () => {
  const profile = { gradeProfileId: id('profile') };
  const deleteGradeProfile = deciding(DeleteGradeProfile, profile);
  const restoreGradeProfile = deciding(RestoreGradeProfile, profile);
  deleteGradeProfile([created]).then([deleted]);
  deleteGradeProfile([created, deleted]).nothing();
  editGradeProfile([created, deleted]).refused('There is no such grade profile.');
  restoreGradeProfile([created, deleted]).then([{ type: 'GradeProfileRestored', data: {} }]);
  restoreGradeProfile([created]).nothing();
  for (const act of [DeleteGradeProfile, RestoreGradeProfile]) given([]).when(act, profile).refused('There is no such grade profile.');
});

test('a profile may be opened empty and filled row by row; what it adds up to is asked where grades are allocated', () => {
  const empty: Happened = { type: 'GradeProfileCreated', data: { ...about, name: 'GCSE', grades: [] } };
  given([])
    .when(OpenGradeProfile, { ...about, name: 'GCSE' })
    .then([empty]);
  saveGrades([empty], { rows: [{ was: null, label: '9', percent: 85 }] }).then([
    { type: 'GradeProfileEdited', data: { name: 'GCSE', grades: [{ label: '9', percent: 85 }] } },
  ]);
  saveGrades([created], { rows: [{ was: '9', label: 'A*', percent: 10 }] }).then([
    {
      type: 'GradeProfileEdited',
      data: {
        name: 'GCSE',
        grades: [
          { label: 'A*', percent: 10 },
          { label: '8', percent: 85 },
        ],
        keys: [{ label: 'A*', key: '9' }],
      },
    },
  ]);
  saveGrades([created], { rows: [{ was: null, label: '9', percent: 1 }] }).refused('The grade 9 is in the list twice.', 'rows.0.label');
  saveGrades([created], { rows: [{ was: 'U', label: 'U', percent: 1 }] }).refused('There is no such grade in this profile.');
  saveGrades([created], { rows: [{ was: '9', label: '9', percent: 0 }] }).invalid('The value must be greater than zero');
});

test('programs know a grade by the same key whatever it is called, and never two grades by one', () => {
  const shares = (...labels: string[]) => labels.map((label) => ({ label, percent: 30 }));
  const edited = (labels: readonly string[], keys: readonly (readonly [label: string, key: string])[]): Happened => ({
    type: 'GradeProfileEdited',
    data: { name: 'GCSE', grades: shares(...labels), keys: keys.map(([label, key]) => ({ label, key })) },
  });
  const three: Happened = { type: 'GradeProfileCreated', data: { ...about, name: 'GCSE', grades: shares('9', '8', '7') } };
  const rows = (...all: [was: string | null, label: string][]) => all.map(([was, label]) => ({ was, label, percent: 30 }));
  const KEYS = [
    ['A', '9'],
    ['9', '9 (2)'],
  ] as const;
  // The label of another, in one request; and a label that somebody had, anew.
  saveGrades([three], { rows: rows(['9', '8'], ['8', '9']) }).then([
    edited(
      ['8', '9', '7'],
      [
        ['8', '9'],
        ['9', '8'],
      ],
    ),
  ]);
  saveGrades([three], { rows: rows(['9', 'A'], [null, '9']) }).then([edited(['A', '8', '7', '9'], KEYS)]);
  // Back to its own label.
  saveGrades([three, edited(['A', '8', '7', '9'], KEYS)], { rows: rows(['9', 'U'], ['A', '9']) }).then([
    edited(['9', '8', '7', 'U'], [['U', '9 (2)']]),
  ]);
});
