import { describe, expect, test } from 'vitest';
import { DecideMark, EnterMarks, UploadMarks, UploadTotals } from '../../../api/commands/entry.ts';
import { admissionKey } from '../../../api/facts/marks.ts';
import type { MarkFacts } from '../../../api/facts/marks.ts';
import type { Value } from '../../../api/contract/marks.ts';
import type { Cell } from '../../../events/cell.ts';
import { changed, emptyCell } from '../../../events/cell.ts';
import type { MarkCell, MarkChange } from '../../../events/codec/columnar.ts';
import { fromColumns } from '../../../events/codec/columnar.ts';
import type { MarktrailEvent } from '../../../events/registry.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, given, id } from '../../support/decider.ts';

const subjectId = id('maths');
const mock = id('mock');
const other = id('other');
const [Q1, Q2] = [id('Q1'), id('Q2')];
const leader = actor('leader', { subjectIds: [subjectId] });
const teacher = actor('teacher', { subjectIds: [subjectId], setIds: [id('11A')] });

type Written = readonly [student: string, cell: MarkCell, is: Value, was?: readonly Value[]];
const total = (testId = mock): MarkCell => ({ kind: 'total', testId });
const mark = (questionId: string): MarkCell => ({ kind: 'mark', testId: mock, questionId });
const attendance: MarkCell = { kind: 'attendance', testId: mock };
const place = ({ kind, testId, questionId }: MarkCell, studentId: string): string => [kind, testId, questionId, studentId].join();

/** Mathematics with 11A (Ann, Abe) and 11B (Ben); mock has 5 + 10 marks, other 20, unready none yet. Cells hold what `written` says. */
const facts = (written: readonly Written[] = []): MarkFacts => {
  const students = ['Ann 11A', 'Abe 11A', 'Ben 11B']
    .map((one) => one.split(' '))
    .map(([name = '', set = '']) => ({ studentId: id(name), admissionNo: `no ${name}`, name, setId: id(set) }));
  const cells = new Map<string, Cell>();
  for (const [index, [student, cell, is, was = []]] of written.entries()) {
    const key = place(cell, id(student));
    cells.set(
      key,
      changed(cells.get(key) ?? emptyCell, { event: id(`e${index}`), command: id(`c${index}`), entry: id(`n${index}`), is, was }),
    );
  }
  const sets = ['11A', '11B'].map((name) => ({ setId: id(name), name, yearGroupId: id('year'), year: 11, testIds: [mock] }));
  const tests = [
    {
      testId: mock,
      name: 'Mock',
      max: 15,
      questions: [
        { questionId: Q1, number: 1, marksAvailable: 5 },
        { questionId: Q2, number: 2, marksAvailable: 10 },
      ],
    },
    { testId: other, name: 'Other', max: 20, questions: [] },
    { testId: id('unready'), name: 'Unready', max: null, questions: [] },
  ];
  return {
    subjectId,
    sets: new Map(sets.map((set) => [set.setId, set])),
    tests: new Map(tests.map((one) => [one.testId, one])),
    students: new Map(students.map((student) => [student.studentId, student])),
    byAdmissionKey: new Map(students.map((student) => [admissionKey(student.admissionNo), student])),
    cell: (cell, studentId) => cells.get(place(cell, studentId)) ?? emptyCell,
  };
};

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
/** The changes in the one event of a decision. */
const changes = (events: readonly MarktrailEvent[]): MarkChange[] => {
  expect(events.length).toBeLessThan(2);
  return events.flatMap((event) => ('marks' in event.data ? fromColumns(event.data.marks) : []));
};
const uploaded = (known: MarkFacts, input: object): MarkChange[] => changes(given([]).when(UploadTotals, input, known).events());
const change = (student: string, cell: MarkCell, max: number | undefined, is: Value, was: readonly Value[] = []) => ({
  studentId: id(student),
  cell,
  ...(max === undefined ? {} : { max }),
  is,
  was,
});
const saw = (name: string, values: readonly Value[], column = 0) => ({ admissionNo: `NO ${name}`, column, values });

describe('an upload of totals', () => {
  test('is one event: who, which test, which maximum it was checked against, what stood there, and the name of the file', () => {
    const events = given([])
      .when(UploadTotals, totalsFile({ Ann: [15, null], Ben: [0, 20] }), facts([['Ben', total(), 7]]))
      .events();
    expect(events).toMatchObject([{ type: 'TotalsUploaded', data: { subjectId, about: { fileName: 'totals.csv' } } }]);
    expect(changes(events)).toEqual([
      change('Ann', total(), 15, 15),
      change('Ben', total(), 15, 0, [7]),
      change('Ben', total(other), 20, 20),
    ]);
  });

  test('of what is there already is no event', () => {
    given([])
      .when(
        UploadTotals,
        totalsFile({ Ann: [12], Ben: [null, 7] }),
        facts([
          ['Ann', total(), 12],
          ['Ben', total(other), 7],
        ]),
      )
      .nothing();
    given([])
      .when(UploadTotals, totalsFile({ Nobody: [12] }), facts())
      .nothing();
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
      change('Abe', total(), 15, 12, [12]),
    ]);
    expect(uploaded(known, totalsFile({ Ann: [10], Abe: [10] }, looked))).toEqual([change('Ann', total(), 15, 10, [10, 11])]);
    expect(uploaded(known, totalsFile({ Ann: [12] }))).toEqual([change('Ann', total(), 15, 12, [12])]);
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
    const refusal = given([])
      .when(UploadTotals, totalsFile({ Ann: [3, 21], Ben: [16, 20], Abe: [15, 99] }), facts())
      .refusal();
    expect(refusal).toMatchObject({ code: 'above-maximum', title: 'The submitted total exceeds the maximum on Test 1,Test 2' });
    expect(refusal.errors).toEqual([
      { path: 'rows.0.1', message: 'Ann: 21 for Test 2 is above the maximum of 20' },
      { path: 'rows.1.0', message: 'Ben: 16 for Test 1 is above the maximum of 15' },
      { path: 'rows.2.1', message: 'Abe: 99 for Test 2 is above the maximum of 20' },
    ]);
  });

  test('is refused with a student twice, by whatever spelling of his StudentID', () => {
    const twice = { ...totalsFile({ Ann: [1] }), rows: [...rows({ Ann: [1] }), { admissionNo: 'NO ANN ', name: 'Anna', totals: [2] }] };
    given([])
      .when(UploadTotals, twice, facts())
      .refused('A student is there more than once. Each student may have one row.', 'rows.1.admissionNo');
  });

  test("is refused with students whose class is not the author's", () => {
    const refusal = given([])
      .when(UploadTotals, totalsFile({ Ann: [1], Ben: [2] }), facts(), teacher)
      .refusal();
    expect(refusal).toMatchObject({
      code: 'not-your-set',
      title: 'The file holds 1 student(s) of classes that you may not write in. Nothing was uploaded.',
      errors: [{ message: 'Ben (11B)' }],
    });
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }), facts(), teacher)
      .events();
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1], Ben: [2] }), facts(), leader)
      .events();
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }), facts(), actor('leader', { subjectIds: [id('science')] }))
      .refused('classes that you may not write in');
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }), facts(), actor('auditor', { subjectIds: [subjectId], setIds: [id('11A')] }))
      .refused('classes that you may not write in');
  });

  test('is refused for tests and classes that it cannot be about', () => {
    const classes = (...testIds: string[]) => ({ classes: [{ setId: id('11A'), testIds }] });
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }, classes(id('unready'))), facts())
      .refused('Unready has no questions yet. Add them first: the maximum mark is their sum.', 'classes.0.testIds.0');
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }, classes(mock, id('foreign'))), facts())
      .refused('There is no such assessment in this subject.', 'classes.0.testIds.1');
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }, classes(mock, mock)), facts())
      .refused('Each test can be chosen once per class.', 'classes.0.testIds.1');
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }, { classes: [{ setId: id('11S'), testIds: [mock] }] }), facts())
      .refused('There is no such class in this subject.', 'classes.0.setId');
    given([])
      .when(UploadTotals, totalsFile({ Ben: [1] }, classes(mock)), facts())
      .refused('Select the tests of 11B first.', 'classes');
    given([])
      .when(UploadTotals, totalsFile({ Ann: [1] }, classes(mock, other, id('3'), id('4'), id('5'), id('6'), id('7'))), facts())
      .invalid('You can only select a maximum of 6 tests');
  });
});

describe('an upload of question marks', () => {
  test('is one event; column n is question n', () => {
    const events = given([])
      .when(UploadMarks, marksFile({ Ann: [5, 10], Ben: [null, 0] }), facts([['Ann', mark(Q1), 4]]))
      .events();
    expect(events).toMatchObject([{ type: 'MarksUploaded', data: { subjectId, about: { fileName: 'marks.csv' } } }]);
    expect(changes(events)).toEqual([change('Ann', mark(Q1), 5, 5, [4]), change('Ann', mark(Q2), 10, 10), change('Ben', mark(Q2), 10, 0)]);
    given([])
      .when(UploadMarks, marksFile({ Ann: [5, null] }), facts([['Ann', mark(Q1), 5]]))
      .nothing();
  });

  test('leaves out who is not in the selected group', () => {
    expect(
      changes(
        given([])
          .when(UploadMarks, marksFile({ Ann: [1], Ben: [1] }, { setIds: [id('11A')] }), facts(), teacher)
          .events(),
      ),
    ).toEqual([change('Ann', mark(Q1), 5, 1)]);
  });

  test('is refused above the maximum, beyond the paper, for a foreign class, and for a test that cannot be', () => {
    expect(
      given([])
        .when(UploadMarks, marksFile({ Ann: [6, 11] }), facts())
        .refusal()
        .errors.map(({ message }) => message),
    ).toEqual(['Ann: 6 for Q1 is above the maximum of 5', 'Ann: 11 for Q2 is above the maximum of 10']);
    given([])
      .when(UploadMarks, marksFile({ Ann: [1, 1, null, 2] }), facts())
      .refused('The file has marks for Q4, but this assessment has 2 questions.', 'rows.0.marks.3');
    given([])
      .when(UploadMarks, marksFile({ Ann: [1, 1, null, null] }), facts())
      .events();
    given([])
      .when(UploadMarks, marksFile({ Ann: [1], Ben: [1] }), facts(), teacher)
      .refused('classes that you may not write in');
    given([])
      .when(UploadMarks, marksFile({ Ann: [1] }, { testId: id('foreign') }), facts())
      .refused('There is no such assessment in this subject.', 'testId');
    given([])
      .when(UploadMarks, marksFile({ Ann: [1] }, { testId: id('unready') }), facts())
      .refused('Unready has no questions yet', 'testId');
    given([])
      .when(UploadMarks, marksFile({ Ann: [1] }, { setIds: [id('11A'), id('11S')] }), facts())
      .refused('There is no such class in this subject.', 'setIds.1');
  });
});

describe('a save of a grid', () => {
  const entryId = id('entry');
  const cell = (name: string, is: Value, more: object = {}) => ({ studentId: id(name), testId: mock, is, ...more });
  const save = (cells: readonly object[], seq = 1) => ({ entryId, subjectId, seq, cells });
  const saved = (seq: number, by: string): Happened => ({
    type: 'MarksEntered',
    data: { subjectId, seq, marks: { columns: [], students: [], is: [] }, refused: [] },
    by,
  });
  const entered = (known: MarkFacts, cells: readonly object[], by = teacher) => {
    const events = given([]).when(EnterMarks, save(cells), known, by).events();
    return {
      stored: changes(events),
      refused: events.flatMap((event) => (event.type === 'MarksEntered' ? event.data.refused.map(({ reason }) => reason) : [])),
    };
  };

  test('stores totals, marks and attendance, each over what its author saw', () => {
    const known = facts([['Ann', total(), 3]]);
    expect(
      entered(known, [cell('Ann', 4), cell('Ann', 'absent', { attendance: true }), cell('Abe', 5, { questionId: Q1, was: [9] })]),
    ).toEqual({
      stored: [change('Ann', total(), 15, 4, [3]), change('Ann', attendance, undefined, 'absent'), change('Abe', mark(Q1), 5, 5, [9])],
      refused: [],
    });
  });

  test('stores what it may and lists the rest, each with its reason', () => {
    const cells = [
      cell('Ann', 1),
      cell('Ann', 16, { questionId: Q2 }),
      cell('Ann', 'absent', { testId: other }),
      cell('Abe', -1),
      cell('Abe', 3, { attendance: true }),
      cell('Abe', 'sat', { attendance: true, questionId: Q1 }),
      cell('Ben', 1),
      cell('Nobody', 1),
      cell('Abe', 1, { testId: id('foreign') }),
      cell('Abe', 1, { testId: id('unready') }),
      cell('Abe', 1, { questionId: id('Q9') }),
      cell('Abe', 'exempt', { questionId: Q1 }),
      cell('Abe', 21, { testId: other }),
    ];
    expect(entered(facts(), cells)).toEqual({
      stored: [change('Ann', total(), 15, 1)],
      refused: [
        'above-maximum',
        'not-a-mark',
        'not-a-mark',
        'not-a-mark',
        'not-a-mark',
        'not-your-set',
        'unknown-student',
        'unknown-question',
        'unknown-question',
        'unknown-question',
        'not-a-mark',
        'above-maximum',
      ],
    });
  });

  test('clears a cell that holds something', () => {
    expect(entered(facts([['Ann', total(), 3]]), [cell('Ann', 'cleared'), cell('Abe', 'cleared')]).stored).toEqual([
      change('Ann', total(), 15, 'cleared', [3]),
    ]);
  });

  test('of what is there already is no event', () => {
    given([])
      .when(EnterMarks, save([cell('Ann', 3), cell('Abe', 'cleared')]), facts([['Ann', total(), 3]]), teacher)
      .nothing();
  });

  test('has a cell once: the last value, over what was seen first', () => {
    expect(entered(facts(), [cell('Ann', 3, { was: [1] }), cell('Abe', 1), cell('Ann', 4, { was: [3] })]).stored).toEqual([
      change('Ann', total(), 15, 4, [1]),
      change('Abe', total(), 15, 1),
    ]);
  });

  test('with a number that was stored already is a repeat, a later one is not', () => {
    given([saved(2, id('teacher'))])
      .when(EnterMarks, save([cell('Ann', 3)], 2), facts(), teacher)
      .nothing();
    given([saved(2, id('teacher'))])
      .when(EnterMarks, save([cell('Ann', 3)], 1), facts(), teacher)
      .nothing();
    given([saved(2, id('teacher'))])
      .when(EnterMarks, save([cell('Ann', 3)], 3), facts(), teacher)
      .events();
  });

  test("goes into an entry of one's own", () => {
    given([saved(1, id('colleague'))])
      .when(EnterMarks, save([cell('Ann', 3)], 2), facts(), teacher)
      .refused('This entry belongs to somebody else. Start one of your own.');
    given([saved(1, id('colleague'))])
      .when(EnterMarks, save([cell('Ann', 3)], 1), facts(), teacher)
      .refused('This entry belongs to somebody else. Start one of your own.');
  });
});

describe('a decision about a contested cell', () => {
  const known = facts([
    ['Ann', total(), 10],
    ['Ann', total(), 11],
    ['Ben', total(), 10],
    ['Ben', total(), 11],
  ]);
  const decide = (is: Value, was: readonly Value[], more: object = {}) => ({
    entryId: id('entry'),
    subjectId,
    studentId: id('Ann'),
    testId: mock,
    is,
    was,
    ...more,
  });
  const decided = (input: object, by = teacher) => changes(given([]).when(DecideMark, input, known, by).events());

  test('covers the values that its author chose from', () => {
    expect(decided(decide(11, [10, 11]))).toEqual([change('Ann', total(), 15, 11, [10, 11])]);
    expect(decided(decide(13, [10, 11]))).toEqual([change('Ann', total(), 15, 13, [10, 11])]);
    expect(decided(decide('cleared', [10, 11]))).toEqual([change('Ann', total(), 15, 'cleared', [10, 11])]);
  });

  test('that decides nothing is no event', () => {
    given([])
      .when(DecideMark, decide(10, [10]), known, teacher)
      .nothing();
  });

  test('is for who may write there, of what can stand there', () => {
    given([])
      .when(DecideMark, decide(11, [10, 11], { studentId: id('Ben') }), known, teacher)
      .refused('You may not write in this class.');
    given([])
      .when(DecideMark, decide(16, [10, 11]), known, teacher)
      .refused('Max mark available is 15');
    given([])
      .when(DecideMark, decide(-1, [10, 11]), known, teacher)
      .refused('Value must be an integer');
    given([])
      .when(DecideMark, decide(11, [10, 11], { studentId: id('Nobody') }), known, teacher)
      .refused('This student is in no class of this subject.');
    given([])
      .when(DecideMark, decide(11, [10, 11], { testId: id('foreign') }), known, teacher)
      .refused('There is no such question in this subject.');
  });

  test("goes into an entry of one's own", () => {
    const theirs: Happened = {
      type: 'MarkDecided',
      data: { subjectId, marks: { columns: [], students: [], is: [] } },
      by: id('colleague'),
    };
    given([theirs])
      .when(DecideMark, decide(11, [10, 11]), known, teacher)
      .refused('This entry belongs to somebody else. Start one of your own.');
  });
});
