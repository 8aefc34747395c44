import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Copied } from '../../../staff-ui/marks/grid/paste/copied.ts';
import { pasteTargetOf, withColumn, withLeftOut, withStudent, withWords } from '../../../staff-ui/marks/grid/paste/copied.ts';
import { pasted } from '../../../staff-ui/marks/grid/paste/paste.ts';
import type { Plan } from '../../../staff-ui/marks/grid/paste/plan.ts';
import { planOf } from '../../../staff-ui/marks/grid/paste/plan.ts';
import type { Block, Place } from '../../../staff-ui/marks/grid/place.ts';
import { at, blockOf } from '../../../staff-ui/marks/grid/place.ts';
import { reporting } from '../../../staff-ui/marks/grid/report.ts';

const students = [
  ['00101', 'Adler, Stéphane'],
  ['00102', 'Brandt, Agnès'],
  ['00104', "D'Arcy, Jean-Luc"],
  ['00105', 'Lin, Ethan'],
  ['00106', 'Lin, Ethan'],
  ['00103', "O'Connor, Aoife"],
].map(([admissionNo = '', name = '']) => ({ studentId: admissionNo, admissionNo, name }));
const MAXIMA = [4, 4, 6, 6];
const cells = {
  size: { rows: students.length, columns: MAXIMA.length },
  mayWrite: true,
  students,
  columns: MAXIMA.map((max, index) => ({ id: `q${index + 1}`, name: `Q${index + 1}`, topic: `Topic ${index + 1}`, max })),
  keyAt: ({ row, column }: Place) => `${row} ${column}`,
  placeOf: () => undefined,
  attendanceKeyAt: (row: number): string | undefined => `${row} here`,
  textOf: (key: string) => (key === '0 0' ? '1' : ''),
  isContested: (key: string) => key === '3 0',
  isStudents: (key: string) => key === '0 0',
  wrongAt: (_: Place, text: string) =>
    !/^\d+$/.test(text) ? 'Value must be an integer' : Number(text) > 9 ? `${text} is above the maximum of 9` : undefined,
  maxOf: () => 4,
};
const marks = pasteTargetOf(cells);
const totals = pasteTargetOf({ ...cells, columns: [{ id: 'total', name: 'Total', max: 20 }], attendanceKeyAt: () => undefined });

/** Cells are divided by |, as they are by tabs on the clipboard. */
const copy = (text: string): string => text.replace(/ *\| */g, '\t').replace(/\n +/g, '\n');
const paste = (text: string, into: Place | Block = { row: 0, column: 0 }, target = marks) =>
  pasted(copy(text), 'row' in into ? blockOf(at(into)) : into, target);
/** 'Adler 3 . 5': what would be stored, in the order of the class; a dot where nothing is said. */
const stored = ({ edits }: Plan): readonly string[] =>
  students.flatMap(({ name, admissionNo }, row) => {
    const own = new Map(edits.filter(({ place }) => place.row === row).map(({ place, text }) => [place.column, text]));
    if (own.size === 0) return [];
    const who = name.startsWith('Lin') ? admissionNo : name.split(',')[0];
    return [`${who} ${MAXIMA.map((_, column) => own.get(column) ?? '.').join('')}`];
  });
/** What is stored at once. */
const certain = (...of: Parameters<typeof paste>): readonly string[] | string => {
  const found = paste(...of);
  if (found.kind === 'nothing') return found.why;
  return found.isCertain ? stored(found.plan) : 'asked';
};
/** What is asked, and what would be stored once it is answered; `answer`: by its author. */
const asked = (
  text: string,
  answer: (copied: Copied) => Copied = (copied) => copied,
  into: Place = { row: 0, column: 0 },
  target = marks,
) => {
  const found = paste(text, into, target);
  if (found.kind === 'nothing' || found.isCertain) throw new Error(`Not asked: ${text}`);
  const copied = answer(found.copied);
  const plan = planOf(copied, target);
  const told = reporting(plan, cells)('stored').text;
  return { says: [...copied.assumed, ...plan.doubts, ...plan.undecided, ...plan.unsaid], stored: stored(plan), plan, told };
};

describe('a block that names people goes to them, in whatever spelling, at once', () => {
  test.each<[string, readonly string[]]>([
    [
      "Aoife O'Connor|1|1|1|1\nStéphane Adler|3|2|5|1\nJean-Luc D'Arcy|0|2|3|1\nAgnès Brandt|4|4|6|6",
      ['Adler 3251', 'Brandt 4466', "D'Arcy 0231", "O'Connor 1111"],
    ],
    ['O’Connor, Aoife|1|1|1|1\nAdler, Stephane|3|2|5|1', ['Adler 3251', "O'Connor 1111"]],
    ["O'Connor|Aoife|1|1|1|1", ["O'Connor 1111"]],
    ['1|Adler, Stéphane|3|2|5|1', ['Adler 3251']],
    ['101|Adler, Stéphane|0|2|3|1', ['Adler 0231']],
    ['="00101"|0|2|3|1', ['Adler 0231']],
    ["'00105|Lin, Ethan|0|2|3|1", ['00105 0231']],
    ['0|2|3|1|Adler, Stéphane', ['Adler 0231']],
    ['Adler,\u00A0Stéphane|18.00| |2,0|', ['Adler 18.2.']],
    ['Adler, Stéphane|3|2|5|1|11\nBrandt, Agnès|4|4|6|6|20', ['Adler 3251', 'Brandt 4466']],
    ['Student|Q3|Q1|Total|%\nAdler, Stéphane|5|3|8|40%\nClass average|2.5|1.5|4|20%', ['Adler 3.5.']],
    ['Adler, Stéphane|s.adler@school.example|3||5|\nBrandt, Agnès|a.brandt@school.example|||4|6', ['Adler 3.5.', 'Brandt ..46']],
    ['Student ID|Candidate No|Name|Class|Q1\n00101|4711|Adler, Stéphane|11|3', ['Adler 3...']],
    ['7A Algebra\n1|00101|3|4||1|8', ['Adler 34.1']],
    ['Student|Topic 2|Comment\nAdler, Stéphane|4|fine', ['Adler .4..']],
    ['Name|Q1|Q2|Q3|Q4\nOut of|4|4|6|6\nAdler, Stéphane|3|2|5|1', ['Adler 3251']],
  ])('%s', (text, meant) => {
    expect(certain(text)).toEqual(meant);
    // Wherever the cursor is, if it fills the paper or has headings.
    if (meant.every((row) => !row.includes('.')) || text.startsWith('Student')) expect(certain(text, { row: 2, column: 1 })).toEqual(meant);
  });

  test('a sum that is named is a total, of several columns or of one', () => {
    expect(paste('Name|Q1|Q2|Total\nAdler, Stéphane|3|2|5', undefined, totals)).toMatchObject({
      isCertain: true,
      plan: { edits: [{ text: '5' }] },
    });
    expect(asked('Adler, Stéphane|3|2|5\nBrandt, Agnès|4|4|8', undefined, undefined, totals).stored).toEqual(['Adler 5...', 'Brandt 8...']);
  });
});

describe('a block without any text goes by position', () => {
  const place = { row: 1, column: 1 };
  test('from the cell on; its gaps say nothing, and what is no mark stays where it was pasted', () => {
    expect(certain('1|\n|9.5|', place)).toEqual(['Brandt .1..', "D'Arcy ..9.5."]);
    expect(certain('x')).toEqual(['Adler x...']);
    expect(certain('A\n3')).toEqual('asked');
    expect(certain('3\nA\n4')).toEqual(['Adler 3...', 'Brandt A...', "D'Arcy 4..."]);
    expect(certain('2', { top: 0, left: 1, bottom: 1, right: 2 })).toEqual(['Adler .22.', 'Brandt .22.']);
  });

  test('IDs in front of marks are no marks', () => {
    expect(certain('00103|1|1|1|1\n00101|3|2|5|1')).toEqual(['Adler 3251', "O'Connor 1111"]);
    expect(asked('103|1|1|1|1\n101|3|2|5|1').stored).toEqual(['Adler 3251', "O'Connor 1111"]);
    expect(asked('00901|1|1').says).toEqual(['Say whose marks these are, or leave them out: 00901.']);
    expect(asked('103|1\n101|3').stored).toEqual(['Adler 3...', "O'Connor 1..."]);
  });

  test('what hangs over the table is asked about, and counted', () => {
    const right = asked('1|1|1|1|1|1', undefined, place);
    expect(right.says).toEqual(['3 columns have no place here, and are left out: column 4, column 5 and column 6.']);
    expect(right.told).toBe('3 stored, 3 outside the table.');
    const below = asked('1|2\n3|4\n', (copied) => withLeftOut(copied, [1], true), { row: 5, column: 0 });
    expect([below.stored, below.told]).toEqual([["O'Connor 12.."], '2 stored, 2 outside the table.']);
  });

  test('with headings alone its columns go by them, and it is asked whose the rows are', () => {
    expect(asked('Q2|Q4\n1|3').stored).toEqual(['Adler .1.3']);
    expect(asked('Q3\n1\n2').stored).toEqual(['Adler ..1.', 'Brandt ..2.']);
    expect(asked('Algebra\n1\n2', undefined, place).stored).toEqual(['Brandt .1..', "D'Arcy .2.."]);
  });

  test('each mark goes in or is counted: none disappears', () => {
    const cell = fc.constantFrom('', '1', '2', '9.5');
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rows, fc.nat(5), fc.nat(3), (block, row, column) => {
        const found = pasted(block.map((one) => one.join('\t')).join('\n'), blockOf(at({ row, column })), marks);
        const count = block.flat().filter((text) => text !== '').length;
        if (found.kind === 'nothing') {
          expect(count).toBe(0);
          return;
        }
        const below = found.plan.lines.flatMap((line) => (line.student ? [] : [line.at]));
        const { edits, outside } = planOf(withLeftOut(found.copied, below, true), marks);
        expect(edits.length + outside).toBe(count);
      }),
      { numRuns: 500 },
    );
  });
});

describe('anything else is asked about, and never goes by position', () => {
  test('which of two students of one name', () => {
    const { says, stored: none } = asked('Lin, Ethan|1|1|1|1');
    expect([says, none]).toEqual([['Say whose marks these are, or leave them out: Lin, Ethan.'], []]);
    expect(asked('Lin, Ethan|1|1|1|1', (copied) => withStudent(copied, 0, '00106')).stored).toEqual(['00106 1111']);
  });

  test('somebody who is not in the class is named with their marks, and left out by a tick alone', () => {
    const text = 'Adler, Stéphane|3|2|5|1\nNobody, Nina|1|1|1|1\nBrandt, Agnès|4|4|6|6';
    expect(asked(text, undefined, { row: 0, column: 1 }).says).toEqual(['Say whose marks these are, or leave them out: Nobody, Nina.']);
    const out = asked(text, (copied) => withLeftOut(copied, [1], true), { row: 0, column: 1 });
    expect([out.says, out.stored]).toEqual([[], ['Adler 3251', 'Brandt 4466']]);
    expect(out.told).toBe('8 stored, 4 of nobody in this class (Nobody, Nina). Rows were matched by name.');
    expect(asked('Nobody, Nina|1|1|1|1').stored).toEqual([]);
    expect(asked('x|2').stored).toEqual([]);
    expect(asked('2|x').stored).toEqual([]);
  });

  test.each<[string, string, readonly string[], readonly string[]]>([
    ['a name that fits in part', 'S. Adler|3|2|5|1', [], ['Adler 3251']],
    ['one column too many', 'Adler, Stéphane|3|2|5|1|1', ['1 column has no place here, and is left out: column 6.'], ['Adler 3251']],
    [
      'a heading that is not the paper’s',
      'Name|Q1|Bonus\nAdler, Stéphane|3|2',
      ['1 column has no place here, and is left out: “Bonus”.'],
      ['Adler 3...'],
    ],
    [
      'no heading that is',
      'Name|Ratio|Angles\nAdler, Stéphane|3|2',
      ['The headings are not those of this paper: the columns are taken in their order.'],
      ['Adler 32..'],
    ],
    [
      'another maximum',
      'Name|Q1|Q3\nOut of|4|5\nAdler, Stéphane|3|2',
      ['What was copied says that Q3 is out of 5, and the paper says 6.'],
      ['Adler 3.2.'],
    ],
    [
      'the same student twice',
      'Adler, Stéphane|3\nStephane Adler|2',
      ['Two rows are for the same student: Adler, Stéphane. Leave one of them out.'],
      ['Adler 2...'],
    ],
    ['a class among the marks', 'Adler, Stéphane|7A|1|2|2', ['Say what is meant by “7A” (1 cell, beside marks).'], ['Adler .122']],
    [
      'a question that all have missed',
      'Adler, Stéphane|3|absent|2|1',
      ['Say what is meant by “absent” (1 cell, beside marks).'],
      ['Adler 3.21'],
    ],
    [
      'a sum among fewer',
      'Adler, Stéphane|3|2|5\nBrandt, Agnès|4|4|8',
      ['The last column is the sum of the others: is it a mark?'],
      ['Adler 325.'],
    ],
    ['a sum behind words', 'Adler, Stéphane|absent|3|1|5|9', ['Say what is meant by “absent” (1 cell, beside marks).'], ['Adler .315']],
    ['an empty column in front', 'Adler, Stéphane||2|5', ['The first column of marks is empty: is it Q1?'], ['Adler .25.']],
    ['marks without a name', 'Adler, Stéphane|3\n|2', ['Say whose marks these are, or leave them out: row 2.'], ['Adler 3...']],
  ])('%s', (_, text, says, meant) => {
    const found = asked(text);
    expect([found.says, found.stored.slice(0, 1)]).toEqual([says, meant]);
  });

  test('a part of the paper without headings starts at Q1, which is asked where the cursor is elsewhere', () => {
    expect(certain('Adler, Stéphane|3|2')).toEqual(['Adler 32..']);
    const { says, stored: meant } = asked('Adler, Stéphane|3|2', undefined, { row: 0, column: 2 });
    expect([says, meant]).toEqual([['The marks start at Q1, not at Q3, where the cursor is.'], ['Adler 32..']]);
  });

  test('a column that its author takes for something else', () => {
    const other = asked('Adler, Stéphane|3|2|5|1|1', (copied) => withColumn(withColumn(copied, 1, '', marks), 5, 'v0', marks));
    expect(other.stored).toEqual(['Adler 1251']);
    // Without names nothing goes by position.
    expect(asked('Nobody, Nina|1|1|1|1', (copied) => withColumn(copied, 0, '', marks)).stored).toEqual([]);
  });

  test('words in place of marks, once each: who was away, where no mark stands beside them', () => {
    const text = 'Name|Q1|Q2\nAdler, Stéphane|Absent|\nBrandt, Agnès|-|2\nO’Connor, Aoife|absent|';
    const { says, plan } = asked(text);
    expect(says).toEqual(['Say what is meant by “absent” (2 cells).', 'Say what is meant by “-” (1 cell, beside marks).']);
    expect(plan.words.map(({ meanings }) => meanings.join(' '))).toEqual(['absent exempt blank 0', 'blank 0']);
    const answered = asked(text, (copied) => withWords(withWords(copied, ['alone absent'], 'absent'), ['beside -'], 'blank'));
    expect(answered.plan.away).toEqual([
      { row: 0, is: 'absent' },
      { row: 5, is: 'absent' },
    ]);
    expect(answered.told).toBe('1 stored, 1 left blank, 2 students away. Rows were matched by name.');
    // A total says nothing of who was there.
    const ofTotals = asked('Name|Total\nAdler, Stéphane|absent', undefined, undefined, totals);
    expect(ofTotals.plan.words[0]?.meanings).toEqual(['blank', '0']);
  });

  test('a whole sheet of a spreadsheet', () => {
    const sheet = `7A Algebra test|||||||
      Name|Q1|Q2|Q3|Q4|Total|%|Grade
      Out of|4|4|6|6|20||
      Stéphane Adler|3|2|5|1|11|55%|B
      Agnès Brandt|4|4|6|6|20|100%|A
      Aoife O'Connor|absent||||0|0%|U
      Jean-Luc D'Arcy|-|2|3|1|6|30%|D
      Ethan Lin|2|2|2|2|8|40%|C
      Class average|2.6|2.0|3.2|2.0|9|45%|`;
    const { says, stored: meant } = asked(sheet, undefined, { row: 3, column: 2 });
    expect(says).toEqual([
      'Say whose marks these are, or leave them out: Ethan Lin.',
      'Say what is meant by “absent” (1 cell).',
      'Say what is meant by “-” (1 cell, beside marks).',
    ]);
    expect(meant).toEqual(['Adler 3251', 'Brandt 4466', "D'Arcy .231"]);
  });
});

test('whatever stands beside the marks: what is stored at once is of whom it names', () => {
  const beside: readonly ((admissionNo: string, surname: string, first: string, row: number) => readonly string[])[] = [
    (_, surname, first) => [`${first} ${surname.toUpperCase()}`],
    (_, surname, first, row) => [String(row + 1), surname, first],
    (id) => [id],
    (id, surname, first) => [id.slice(2), `${surname} ${first}`, '7A'],
    (_, surname, first) => [`${surname}, ${first}`, 'mail@school.example', ''],
  ];
  const mark = fc.constantFrom('', '0', '1', '2', '3', 'absent');
  const block = fc.record({
    rows: fc
      .uniqueArray(fc.record({ row: fc.nat(5), marks: fc.array(mark, { minLength: 4, maxLength: 4 }) }), {
        selector: ({ row }) => row,
        minLength: 1,
      })
      .filter((some) => some.some((one) => one.marks.some((said) => said !== ''))),
    of: fc.constantFrom(...beside),
    isSummed: fc.boolean(),
    above: fc.constantFrom('', 'Algebra 2026\n'),
  });
  fc.assert(
    fc.property(block, fc.nat(5), fc.nat(3), ({ rows, of, isSummed, above }, row, column) => {
      const lines = rows.map(({ row: at_, marks: said }) => {
        const { admissionNo, name } = students[at_] ?? { admissionNo: '', name: '' };
        const [surname = '', first = ''] = name.split(', ');
        const sum = said.reduce((all, text) => all + (Number(text) || 0), 0);
        return [
          ...of(
            admissionNo,
            surname,
            first,
            rows.findIndex((one) => one.row === at_),
          ),
          ...said,
          ...(isSummed ? [sum] : []),
        ].join('\t');
      });
      const found = pasted(above + lines.join('\n'), blockOf(at({ row, column })), marks);
      if (found.kind === 'nothing' || !found.isCertain) return;
      const truth = rows.flatMap(({ row: at_, marks: said }) =>
        said.flatMap((text, index) => (text === '' ? [] : [`${at_} ${index} ${text}`])),
      );
      expect(found.plan.edits.map(({ place, text }) => `${place.row} ${place.column} ${text}`).toSorted()).toEqual(truth.toSorted());
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['a picture', '', 'There is no text in what was copied.'],
  ['empty cells', '|\n|', 'There is no mark in what was copied.'],
  ['prose', 'Marks are entered question by question.\nAn admin adds them first.', 'There is no mark in what was copied.'],
  ['a web page', 'Home|About us\nWelcome to our school|\nContact|Imprint', 'There is no mark in what was copied.'],
  ['names alone', 'Adler, Stéphane\nBrandt, Agnès', 'There is no mark in what was copied.'],
  ['5,000 rows', '1|2\n'.repeat(5_000), 'That is too large for a block of marks. Nothing was taken.'],
  ['too many columns', '1|'.repeat(200), 'That is too large for a block of marks. Nothing was taken.'],
  ['a long text', 'x'.repeat(1_000_001), 'That is too large for a block of marks. Nothing was taken.'],
])('%s: a sentence, and nothing is stored', (_, text, why) => expect(certain(text)).toBe(why));

test('the report adds up: what is stored, confirmed, as students had entered it, beside other values, refused', () => {
  const told = (text: string, into?: Place) => {
    const found = paste(text, into);
    return found.kind === 'nothing' ? found.why : reporting(found.plan, cells)('stored').text;
  };
  expect(told('1\n2\n3')).toBe('2 stored, 1 confirmed, 1 of them as the student had entered it.');
  expect(told('2')).toBe('1 stored.');
  expect(told('4|4', { row: 3, column: 0 })).toBe('2 stored, 1 of them beside other values: decide which counts.');
  expect(told('12|3|12.5')).toBe('1 stored, 2 refused (12 is above the maximum of 9; 12.5: Value must be an integer).');
});
