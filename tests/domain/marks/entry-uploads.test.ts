import { describe, expect, test } from 'vitest';
import { UploadMarks, UploadTotals } from '../../../api/marks/upload/uploads.commands.ts';
import type { Value } from '../../../api/marks/marks.contract.ts';
import type { MarkFacts } from '../../../api/marks/marks.facts.ts';
import type { MarkChange } from '../../../events/codec/columnar.ts';
import { toColumns } from '../../../events/codec/columnar.ts';
import { digestOf } from '../../../events/marks/mark-digest.ts';
import { actor, deciding, given, id } from '../../support/decider.ts';
import { change, changes, facts, leader, mark, mock, other, Q1, Q2, subjectId, teacher, total } from '../../support/mark-facts.ts';

const rows = (values: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(values).map(([name, totals]) => ({ admissionNo: `no ${name}`, name, totals }));
const totalsFile = (values: Readonly<Record<string, readonly unknown[]>>, more: object = {}) => ({
  subjectId,
  classes: ['11A', '11B'].map((name) => ({ setId: id(name), testIds: [mock, other] })),
  rows: rows(values),
  fileName: 'totals.csv',
  ...more,
});
const marksFile = (values: Readonly<Record<string, readonly unknown[]>>, more: object = {}) => ({
  subjectId,
  testId: mock,
  setIds: [id('11A'), id('11B')],
  rows: rows(values).map(({ totals: marks, ...row }) => ({ ...row, marks })),
  fileName: 'marks.csv',
  ...more,
});
const foreignClasses = 'classes that you may not enter marks for';
const noClass = 'There is no such class in this subject.';
const uploadTotals = deciding(UploadTotals, {}, facts());
const uploadMarks = deciding(UploadMarks, {}, facts());
const uploaded = (known: MarkFacts, input: object): MarkChange[] => changes(uploadTotals([], input, known).events());
const saw = (name: string, values: readonly Value[], column = 0) => ({ admissionNo: `NO ${name}`, column, values });

describe('an upload of totals', () => {
  test('is one event: who, which test, which maximum it was checked against, what stood there, and the name of the file', () => {
    const events = uploadTotals([], totalsFile({ Ann: [15, null], Ben: [0, 20] }), facts([['Ben', total(), 7]])).events();
    expect(events).toMatchObject([{ type: 'TotalsUploaded', data: { subjectId, about: { fileName: 'totals.csv' } } }]);
    expect(changes(events)).toEqual([
      change('Ann', total(), 15, 15),
      change('Ben', total(), 15, 0, [7]),
      change('Ben', total(other), 20, 20),
    ]);
  });

  test('of what is there already is stored as agreement, unless it repeats an upload of the same author that still stands', () => {
    const known = facts([
      ['Ann', total(), 12],
      ['Ben', total(other), 7],
    ]);
    const file = totalsFile({ Ann: [12], Ben: [null, 7] });
    const agreed = [change('Ann', total(), 15, 12, [12]), change('Ben', total(other), 20, 7, [7])];
    expect(uploaded(known, file)).toEqual(agreed);
    const before = { commandId: id('earlier'), digest: digestOf(toColumns(agreed)), satOn: null, confirmed: 0, undone: false };
    uploadTotals([], file, { ...known, uploads: [before] }).nothing();
    expect(uploaded({ ...known, uploads: [{ ...before, undone: true }] }, file)).toEqual(agreed);
    expect(uploaded({ ...known, uploads: [{ ...before, digest: 'of other values' }] }, file)).toEqual(agreed);
    const replaced = facts([
      ['Ann', total(), 11],
      ['Ben', total(other), 7],
    ]);
    expect(uploaded({ ...replaced, uploads: [before] }, file)).toHaveLength(2);
    uploadTotals([], totalsFile({ Nobody: [12] })).nothing();
  });

  describe('that says on which day its assessments were sat', () => {
    const file = (satOn?: string) => totalsFile({ Ann: [12] }, satOn === undefined ? {} : { satOn });
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);

    test('has the day in its event; one that does not say has none', () => {
      expect(uploadTotals([], file('2026-01-10')).events()).toMatchObject([{ data: { satOn: '2026-01-10' } }]);
      expect(uploadMarks([], marksFile({ Ann: [4] }, { satOn: '2000-01-01' })).events()).toMatchObject([
        { type: 'MarksUploaded', data: { satOn: '2000-01-01' } },
      ]);
      expect(uploadTotals([], file()).events()[0]?.data).not.toHaveProperty('satOn');
      // Where it is tomorrow already, today is not in the future.
      expect(uploadTotals([], file(inHours(14))).events()).toHaveLength(1);
    });

    test('is refused where that cannot be', () => {
      for (const [command, input] of [
        [UploadTotals, totalsFile({ Ann: [12] })],
        [UploadMarks, marksFile({ Ann: [4] })],
      ] as const) {
        const on = (satOn: unknown) => given([]).when(command, { ...input, satOn }, facts());
        on(inHours(72)).refused('The date must not be in the future.', 'satOn');
        on('1999-12-31').refused('The date must not be before 01/01/2000.', 'satOn');
        for (const none of ['2026-02-30', '10/01/2026', '', '2026-01-10T09:00:00Z'])
          on(none).invalid('There is no such day. A date is written as 2026-01-31.');
      }
    });

    test('repeats one that stands only if its author said no other day for these values since', () => {
      const known = facts([['Ann', total(), 12]]);
      const digest = digestOf(toColumns([change('Ann', total(), 15, 12)]));
      const past = (satOn: string | null, undone = false) => ({ commandId: id('earlier'), digest, satOn, confirmed: 0, undone });
      const after = (uploads: MarkFacts['uploads'], satOn?: string) => uploadTotals([], file(satOn), { ...known, uploads }).events().length;
      expect(after([past(null)])).toBe(0);
      expect(after([past(null)], '2026-01-10')).toBe(1);
      expect(after([past('2026-01-10')], '2026-01-10')).toBe(0);
      expect(after([past('2026-01-10')], '2026-01-12')).toBe(1);
      // Saying nothing takes nothing back.
      expect(after([past('2026-01-10')])).toBe(0);
      expect(after([past('2026-01-10'), past('2026-01-12')], '2026-01-10')).toBe(1);
      expect(after([past('2026-01-10'), past('2026-01-12', true)], '2026-01-10')).toBe(0);
      expect(after([past('2026-01-10', true)], '2026-01-10')).toBe(1);
    });
  });

  test('writes what its user saw in the preview, not what has come since', () => {
    const known = facts([
      ['Ann', total(), 10],
      ['Ann', total(), 14, [10]],
    ]);
    expect(uploaded(known, totalsFile({ Ann: [12] }, { saw: [saw('Ann', [10])] }))).toEqual([change('Ann', total(), 15, 12, [10])]);
    expect(uploaded(known, totalsFile({ Ann: [12] }, { saw: [] }))).toEqual([change('Ann', total(), 15, 12, [])]);
    expect(uploaded(known, totalsFile({ Ann: [12] }))).toEqual([change('Ann', total(), 15, 12, [14])]);
  });

  test('in a contested cell joins the others, and decides only where its user ticked', () => {
    const known = facts([
      ['Ann', total(), 10],
      ['Ann', total(), 11],
      ['Abe', total(), 10],
      ['Abe', total(), 11],
    ]);
    const looked = { saw: [saw('Ann', [10, 11]), saw('Abe', [10, 11])], decides: [{ admissionNo: 'no Ann', column: 0 }] };
    expect(uploaded(known, totalsFile({ Ann: [12], Abe: [12] }, looked))).toEqual([
      change('Ann', total(), 15, 12, [10, 11]),
      change('Abe', total(), 15, 12, ['sat']),
    ]);
    expect(uploaded(known, totalsFile({ Ann: [10], Abe: [10] }, looked))).toEqual([
      change('Ann', total(), 15, 10, [10, 11]),
      change('Abe', total(), 15, 10, ['sat']),
    ]);
    expect(uploaded(known, totalsFile({ Ann: [12] }))).toEqual([change('Ann', total(), 15, 12, ['sat'])]);
  });

  test('fills a cell that was cleared', () => {
    expect(
      uploaded(
        facts([
          ['Ann', total(), 10],
          ['Ann', total(), 'cleared', [10]],
        ]),
        totalsFile({ Ann: [12] }),
      ),
    ).toEqual([change('Ann', total(), 15, 12, ['cleared'])]);
  });

  test('is refused above the maximum, with every mark named and every column in order', () => {
    const refusal = uploadTotals([], totalsFile({ Ann: [3, 21], Ben: [16, 20], Abe: [15, 99] })).refusal();
    expect(refusal).toMatchObject({ code: 'above-maximum', title: 'The submitted total exceeds the maximum on Test 1,Test 2' });
    expect(refusal.errors).toEqual([
      { path: 'rows.0.1', message: 'Ann: 21 for Test 2 is above the maximum of 20' },
      { path: 'rows.1.0', message: 'Ben: 16 for Test 1 is above the maximum of 15' },
      { path: 'rows.2.1', message: 'Abe: 99 for Test 2 is above the maximum of 20' },
    ]);
  });

  test('of nothing but rubbish is refused with a list that a page can show, and how many more marks there are', () => {
    const known = facts();
    const names = Array.from({ length: 4_000 }, (_, n) => `Student ${n}`);
    const byAdmissionKey = new Map(
      names.map((name) => [`no ${name}`.toLowerCase(), { studentId: id(name), admissionNo: `no ${name}`, name, setId: id('11A') }]),
    );
    const testIds = ['1', '2', '3', '4', '5', '6'].map(id);
    const tests = new Map(testIds.map((testId) => [testId, { testId, name: 'Test', max: 1, questions: [] }]));
    const file = totalsFile(Object.fromEntries(names.map((name) => [name, [2, 2, 2, 2, 2, 2]])), {
      classes: [{ setId: id('11A'), testIds }],
    });
    const { title, errors } = uploadTotals([], file, { ...known, tests, byAdmissionKey }).refusal();
    expect(title).toBe('The submitted total exceeds the maximum on Test 1,Test 2,Test 3,Test 4,Test 5,Test 6');
    expect(errors).toHaveLength(20_001);
    expect(errors.at(-2)?.message).toBe('Student 3333: 2 for Test 2 is above the maximum of 1');
    expect(errors.at(-1)).toEqual({ path: 'rows', message: 'and 4000 more marks above their maximum' });
  });

  test('is refused with a student twice, by whatever spelling of the StudentID', () => {
    const twice = { ...totalsFile({ Ann: [1] }), rows: [...rows({ Ann: [1] }), { admissionNo: 'NO ANN ', name: 'Anna', totals: [2] }] };
    uploadTotals([], twice).refused('A student is listed more than once. Each student may have one row.', 'rows.1.admissionNo');
  });

  test("is refused with students whose class is not the author's", () => {
    const refusal = uploadTotals([], totalsFile({ Ann: [1], Ben: [2] }), facts(), teacher).refusal();
    expect(refusal).toMatchObject({
      code: 'not-your-set',
      title: 'The file holds 1 student(s) of classes that you may not enter marks for. Nothing was uploaded.',
      errors: [{ message: 'Ben (11B)' }],
    });
    uploadTotals([], totalsFile({ Ann: [1] }), facts(), teacher).events();
    uploadTotals([], totalsFile({ Ann: [1], Ben: [2] }), facts(), leader).events();
    uploadTotals([], totalsFile({ Ann: [1] }), facts(), actor('leader', { subjectIds: [id('science')] })).refused(foreignClasses);
    uploadTotals([], totalsFile({ Ann: [1] }), facts(), actor('auditor', { subjectIds: [subjectId], setIds: [id('11A')] })).refused(
      foreignClasses,
    );
  });

  test('is refused for tests and classes that it cannot be about', () => {
    const classes = (...testIds: string[]) => ({ classes: [{ setId: id('11A'), testIds }] });
    uploadTotals([], totalsFile({ Ann: [1] }, classes(id('unready')))).refused(
      'Unready has no questions yet. Add them first: the maximum mark is their sum.',
      'classes.0.testIds.0',
    );
    uploadTotals([], totalsFile({ Ann: [1] }, classes(mock, id('foreign')))).refused(
      'There is no such assessment in this subject.',
      'classes.0.testIds.1',
    );
    uploadTotals([], totalsFile({ Ann: [1] }, classes(mock, mock))).refused(
      'Each test can be chosen once per class.',
      'classes.0.testIds.1',
    );
    const twice = [mock, other].map((testId) => ({ setId: id('11A'), testIds: [testId] }));
    uploadTotals([], totalsFile({ Ann: [1] }, { classes: twice })).refused('Each class can be listed only once.', 'classes.1.setId');
    uploadTotals([], totalsFile({ Ann: [1] }, { classes: [{ setId: id('11S'), testIds: [mock] }] })).refused(noClass, 'classes.0.setId');
    uploadTotals([], totalsFile({ Ben: [1] }, classes(mock))).refused('Select the tests of 11B first.', 'classes');
    uploadTotals([], totalsFile({ Ann: [1] }, classes(mock, other, id('3'), id('4'), id('5'), id('6'), id('7')))).invalid(
      'You can only select a maximum of 6 tests',
    );
  });
});

describe('an upload of question marks', () => {
  test('is one event; column n is question n', () => {
    const events = uploadMarks([], marksFile({ Ann: [5, 10], Ben: [null, 0] }), facts([['Ann', mark(Q1), 4]])).events();
    expect(events).toMatchObject([{ type: 'MarksUploaded', data: { subjectId, about: { fileName: 'marks.csv' } } }]);
    expect(changes(events)).toEqual([change('Ann', mark(Q1), 5, 5, [4]), change('Ann', mark(Q2), 10, 10), change('Ben', mark(Q2), 10, 0)]);
    expect(changes(uploadMarks([], marksFile({ Ann: [5, null] }), facts([['Ann', mark(Q1), 5]])).events())).toEqual([
      change('Ann', mark(Q1), 5, 5, [5]),
    ]);
  });

  test('leaves out who is not in the selected group', () => {
    expect(changes(uploadMarks([], marksFile({ Ann: [1], Ben: [1] }, { setIds: [id('11A')] }), facts(), teacher).events())).toEqual([
      change('Ann', mark(Q1), 5, 1),
    ]);
  });

  test('is refused above the maximum, beyond the paper, for a foreign class, and for a test that cannot be', () => {
    expect(
      uploadMarks([], marksFile({ Ann: [6, 11] }))
        .refusal()
        .errors.map(({ message }) => message),
    ).toEqual(['Ann: 6 for Q1 is above the maximum of 5', 'Ann: 11 for Q2 is above the maximum of 10']);
    uploadMarks([], marksFile({ Ann: [1, 1, null, 2] })).refused(
      'The file has marks for Q4, but this assessment has 2 questions.',
      'rows.0.marks.3',
    );
    uploadMarks([], marksFile({ Ann: [1, 1, null, null] })).events();
    uploadMarks([], marksFile({ Ann: [1], Ben: [1] }), facts(), teacher).refused(foreignClasses);
    uploadMarks([], marksFile({ Ann: [1] }, { testId: id('foreign') })).refused('There is no such assessment in this subject.', 'testId');
    uploadMarks([], marksFile({ Ann: [1] }, { testId: id('unready') })).refused('Unready has no questions yet', 'testId');
    uploadMarks([], marksFile({ Ann: [1] }, { setIds: [id('11A'), id('11S')] })).refused(noClass, 'setIds.1');
  });
});
