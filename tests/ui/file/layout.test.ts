import { describe, expect, test } from 'vitest';
import { People } from '../../../api/students/identity.formula.ts';
import type { Target } from '../../../ui/file/layout/target.ts';
import { layoutOf, maximaIn, namedIn, unexplainedIn, valuesIn } from '../../../ui/file/layout/layout.ts';

const students = [
  ['00101', 'Adler, Stéphane'],
  ['00102', 'Brandt, Agnès'],
  ['00103', "O'Connor, Aoife"],
  ['00104', "D'Arcy, Jean-Luc"],
  ['00105', 'Lin, Ethan'],
].map(([admissionNo = '', name = '']) => ({ admissionNo, name }));
const people = new People(students);
const paper: Target = {
  roles: ['id', 'name', 'surname', 'first'],
  values: [4, 4, 6, 6].map((max, at) => ({ name: `Q${at + 1}`, max, also: [['Number', 'Angles', 'Ratio', 'Graphs'][at] ?? ''] })),
  knows: (text) => people.knows(text),
};
const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split('|')
        .map((cell) => cell.trim()),
    );
/** Each row as `kind`, or who it is of and what it says. */
const read = (text: string, target = paper) => {
  const rows = table(text);
  const layout = layoutOf(rows, target);
  return rows.map((row, at) => {
    if (layout.kinds[at] !== 'row') return layout.kinds[at];
    const { id, name } = namedIn(row, layout.roles);
    return [id, name, valuesIn(row, layout.roles, target.values.length).join(' ')].filter((part) => part !== '').join(': ');
  });
};

describe('what the columns of a block are', () => {
  test.each([
    ['a name in front', "Aoife O'Connor|1|1|1|1\nAdler, Stéphane|3|2|5|1", ["Aoife O'Connor: 1 1 1 1", 'Adler, Stéphane: 3 2 5 1']],
    ['behind the marks', "1|1|1|1|Aoife O'Connor\n3|2|5|1|Adler, Stéphane", ["Aoife O'Connor: 1 1 1 1", 'Adler, Stéphane: 3 2 5 1']],
    ['in two columns', "O'Connor|Aoife|1|1|1|1\nLin|Ethan|1|0|1|1", ["O'Connor, Aoife: 1 1 1 1", 'Lin, Ethan: 1 0 1 1']],
    [
      'after a running number',
      '1|Adler, Stéphane|3|2|5|1\n2|Brandt, Agnès|4|4|6|6',
      ['Adler, Stéphane: 3 2 5 1', 'Brandt, Agnès: 4 4 6 6'],
    ],
    [
      'after an ID without its zeros',
      '101|Adler, Stéphane|0|2|3|1\n102|Brandt, Agnès|4|4|6|6',
      ['101: Adler, Stéphane: 0 2 3 1', '102: Brandt, Agnès: 4 4 6 6'],
    ],
    ['an ID alone', '00103|1|1|1|1\n00101|3|2|5|1', ['00103: 1 1 1 1', '00101: 3 2 5 1']],
    ['an ID without its zeros alone, and one column too many', '103|1|1|1|1\n101|3|2|5|1', ['103: 1 1 1 1', '101: 3 2 5 1']],
    ['with its sum', 'Adler, Stéphane|3|2|5|1|11\nBrandt, Agnès|4|4|6|6|20', ['Adler, Stéphane: 3 2 5 1', 'Brandt, Agnès: 4 4 6 6']],
    ['an empty question', 'Adler, Stéphane|3||5|1', ['Adler, Stéphane: 3  5 1']],
    ['a question of words alone, and a sum', 'Adler, Stéphane|absent|3|5|1|9', ['Adler, Stéphane: absent 3 5 1']],
    ['an ID after a running number', 'Algebra 2026|\n1|00103|1|1|1|1', ['title', '00103: 1 1 1 1']],
    ['nobody’s name', 'Nobody, Nina|1|1|1|1', ['Nobody, Nina: 1 1 1 1']],
    ['headings in another order', 'Student|Q3|Q1\nAdler, Stéphane|5|3', ['heading', 'Adler, Stéphane: 3  5 ']],
    ['numbers as headings', 'Student|2|4\nAdler, Stéphane|5|3', ['heading', 'Adler, Stéphane:  5  3']],
    ['topics as headings', 'Student|ANGLES|Ratio\nAdler, Stéphane|1|3', ['heading', 'Adler, Stéphane:  1 3 ']],
    ['parts of questions', 'Name|1a|1(b)(i)|1(b)(ii)|2\nLin, Ethan|1|2|3|4', ['heading', 'Lin, Ethan: 1 2 3 4']],
    ['first and last name by headings', 'First name|Last name|Q1\nEthan|Lin|2', ['heading', 'Lin, Ethan: 2   ']],
  ])('%s', (_, block, meant) => expect(read(block)).toEqual(meant));

  test('a whole sheet: title, maxima, totals, per cents and averages are none of the marks', () => {
    const sheet = `7A Algebra test|||||||
      Name|Q1|Q2|Q3|Q4|Total|%|Grade
      Out of|4|4|6|6|20||
      Stéphane Adler|3|2|5|1|11|55%|B
      Aoife O'Connor|absent||||0|0%|U
      |||||||
      Class average|2.6|2.0|3.2|2.0|9|45%|`;
    expect(read(sheet)).toEqual([
      'title',
      'heading',
      'maximum',
      'Stéphane Adler: 3 2 5 1',
      "Aoife O'Connor: absent   ",
      'blank',
      'summary',
    ]);
    const rows = table(sheet);
    expect([...maximaIn(rows, layoutOf(rows, paper))]).toEqual([
      [0, 4],
      [1, 4],
      [2, 6],
      [3, 6],
    ]);
  });

  test('maxima in the headings, or in a row beneath them that names nobody', () => {
    const inHeadings = table('Name|Q1 (4)|Q2 /4|Q3 [6 marks]|Q4\nLin, Ethan|1|2|3|4');
    expect([...maximaIn(inHeadings, layoutOf(inHeadings, paper)).values()]).toEqual([4, 4, 6]);
    const beneath = table('Name|Q1|Q2|Q3|Q4\n|4|4|6|5\nLin, Ethan|1|2|3|4');
    expect([...maximaIn(beneath, layoutOf(beneath, paper)).values()]).toEqual([4, 4, 6, 5]);
  });

  test('a column of numbers that neither a heading nor its sums explain is perhaps a question', () => {
    const rows = table('Name|Q1|Q2|Bonus|Total|%|Class\nLin, Ethan|1|2|1|3|50%|11');
    expect(unexplainedIn(rows, layoutOf(rows, paper), paper)).toEqual([3]);
  });

  const list: Target = { roles: ['id', 'name', 'first-last', 'surname', 'first', 'set', 'birth'], values: [] };
  test.each([
    [
      'SIMS',
      'Adno|Legal Surname|Legal Forename|Preferred Forename|Reg Group|Year|DOB|UPN',
      ['id', 'surname', 'first', '', 'set', '', 'birth', ''],
    ],
    ['OneRoster', 'sourcedId|status|role|username|givenName|familyName|identifier|email', ['', '', '', '', 'first', 'surname', 'id', '']],
    ['Canvas', 'Student|ID|SIS User ID|SIS Login ID|Section', ['name', '', 'id', '', 'set']],
    ['Moodle', 'First name|Last name|ID number|Institution|Department|Email address', ['first', 'surname', 'id', '', '', '']],
  ])('the headings of %s', (_, headings, roles) => {
    const rows = [['Student List'], ['Run date: 27/11/2026'], [], ...table(headings), headings.split('|').map((__, at) => `Word, ${at}`)];
    expect(layoutOf(rows, list)).toMatchObject({ header: 3, roles });
  });
});
