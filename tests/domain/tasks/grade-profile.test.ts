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
import { given, id } from '../../support/decider.ts';

const grades = [
  { label: '9', percent: 15 },
  { label: '8', percent: 85 },
];
const about = { subjectId: id('maths'), yearGroupId: id('year 11') };
const there = { subject: true, yearGroup: true };
const created: Happened = { type: 'GradeProfileCreated', data: { ...about, name: 'GCSE', grades } };
const deleted: Happened = { type: 'GradeProfileDeleted', data: {} };
const edit = { gradeProfileId: id('profile'), name: 'GCSE', grades };
const of = (...percents: readonly number[]) => ({
  ...about,
  name: 'GCSE',
  grades: percents.map((percent, index) => ({ label: `${9 - index}`, percent })),
});

test('a grade profile has a name, labels and whole percentages above 0 that add up to 100', () => {
  given([])
    .when(CreateGradeProfile, { ...about, name: ' GCSE ', grades }, there)
    .then([created]);
  given([]).when(CreateGradeProfile, of(99), there).invalid('The percentages must add up to 100 %: they add up to 99 %.');
  given([]).when(CreateGradeProfile, of(60, 41), there).invalid('The percentages must add up to 100 %: they add up to 101 %.');
  given([]).when(CreateGradeProfile, of(50.5, 49.5), there).invalid('The value must be an integer number');
  given([]).when(CreateGradeProfile, of(100, 0), there).invalid('The value must be greater than zero');
  given([]).when(CreateGradeProfile, of(120, -20), there).invalid('The value must be greater than zero');
  given([])
    .when(CreateGradeProfile, { ...about, name: 'GCSE', grades: [{ label: ' ', percent: 100 }] }, there)
    .invalid('Required.');
  given([])
    .when(CreateGradeProfile, { ...about, name: ' ', grades }, there)
    .invalid('Required.');
  given([]).when(CreateGradeProfile, of(), there).invalid('Required.');
  const twice = [
    { label: 'a', percent: 50 },
    { label: 'A', percent: 50 },
  ];
  given([])
    .when(CreateGradeProfile, { ...about, name: 'GCSE', grades: twice }, there)
    .invalid('The grade A is in the list twice.');
  expect(given([]).when(CreateGradeProfile, of(100), there).events()).toHaveLength(1);
});

test('it belongs to a year group of the subject', () => {
  given([]).when(CreateGradeProfile, of(100), { subject: false, yearGroup: false }).refused('There is no such subject.');
  given([]).when(CreateGradeProfile, of(100), { subject: true, yearGroup: false }).refused('There is no such year group.');
});

test('an edit replaces name and grades; the same again writes nothing; what somebody else has changed is not overwritten unseen', () => {
  given([created]).when(EditGradeProfile, edit).nothing();
  given([created])
    .when(EditGradeProfile, { ...edit, name: 'Mock' })
    .then([{ type: 'GradeProfileEdited', data: { name: 'Mock', grades } }]);
  const mock: Happened = { type: 'GradeProfileEdited', data: { name: 'Mock', grades } };
  given([created, mock])
    .when(EditGradeProfile, { ...edit, name: 'Trial', was: { name: 'GCSE', grades } })
    .refused('Somebody else has changed this grade profile meanwhile. Reload to see it, then save yours again.');
  expect(
    given([created, mock])
      .when(EditGradeProfile, { ...edit, name: 'Trial', was: { name: 'Mock', grades } })
      .events(),
  ).toHaveLength(1);
});

test('it is deleted once, comes back, and is not edited meanwhile', () => {
  const profile = { gradeProfileId: id('profile') };
  given([created]).when(DeleteGradeProfile, profile).then([deleted]);
  given([created, deleted]).when(DeleteGradeProfile, profile).nothing();
  given([created, deleted]).when(EditGradeProfile, edit).refused('There is no such grade profile.');
  given([created, deleted])
    .when(RestoreGradeProfile, profile)
    .then([{ type: 'GradeProfileRestored', data: {} }]);
  given([created]).when(RestoreGradeProfile, profile).nothing();
  for (const act of [DeleteGradeProfile, RestoreGradeProfile]) given([]).when(act, profile).refused('There is no such grade profile.');
});

test('a profile may be opened empty and filled row by row; what it adds up to is asked where grades are allocated', () => {
  const empty: Happened = { type: 'GradeProfileCreated', data: { ...about, name: 'GCSE', grades: [] } };
  given([])
    .when(OpenGradeProfile, { ...about, name: 'GCSE' }, there)
    .then([empty]);
  const gradeProfileId = id('profile');
  given([empty])
    .when(SaveGrades, { gradeProfileId, rows: [{ was: null, label: '9', percent: 85 }] })
    .then([{ type: 'GradeProfileEdited', data: { name: 'GCSE', grades: [{ label: '9', percent: 85 }] } }]);
  given([created])
    .when(SaveGrades, { gradeProfileId, rows: [{ was: '9', label: 'A*', percent: 10 }] })
    .then([
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
  given([created])
    .when(SaveGrades, { gradeProfileId, rows: [{ was: null, label: '9', percent: 1 }] })
    .refused('The grade 9 is in the list twice.', 'rows.0.label');
  given([created])
    .when(SaveGrades, { gradeProfileId, rows: [{ was: 'U', label: 'U', percent: 1 }] })
    .refused('There is no such grade in this profile.');
  given([created])
    .when(SaveGrades, { gradeProfileId, rows: [{ was: '9', label: '9', percent: 0 }] })
    .invalid('The value must be greater than zero');
});

test('programs know a grade by the same key whatever it is called, and never two grades by one', () => {
  const gradeProfileId = id('profile');
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
  given([three])
    .when(SaveGrades, { gradeProfileId, rows: rows(['9', '8'], ['8', '9']) })
    .then([
      edited(
        ['8', '9', '7'],
        [
          ['8', '9'],
          ['9', '8'],
        ],
      ),
    ]);
  given([three])
    .when(SaveGrades, { gradeProfileId, rows: rows(['9', 'A'], [null, '9']) })
    .then([edited(['A', '8', '7', '9'], KEYS)]);
  // Back to its own label.
  given([three, edited(['A', '8', '7', '9'], KEYS)])
    .when(SaveGrades, { gradeProfileId, rows: rows(['9', 'U'], ['A', '9']) })
    .then([edited(['9', '8', '7', 'U'], [['U', '9 (2)']])]);
});
