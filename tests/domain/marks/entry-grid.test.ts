import { describe, expect, test } from 'vitest';
import { DecideMark, EnterMarks } from '../../../api/marks/entry.commands.ts';
import type { Value } from '../../../api/marks/marks.contract.ts';
import type { MarkFacts } from '../../../api/marks/marks.facts.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id } from '../../support/decider.ts';
import { attendance, change, changes, facts, mark, mock, other, Q1, Q2, subjectId, teacher, total } from '../../support/mark-facts.ts';

const notTheirs = 'This entry belongs to somebody else. Start one of your own.';
const enterMarks = deciding(EnterMarks, {}, facts(), teacher);

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
    const events = enterMarks([], save(cells), known, by).events();
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

  test('of which nothing may be stored is no event', () => {
    enterMarks([], save([cell('Ann', 99), cell('Ben', 1), cell('Abe', 'cleared')])).nothing();
  });

  test('clears a cell that holds something', () => {
    expect(entered(facts([['Ann', total(), 3]]), [cell('Ann', 'cleared'), cell('Abe', 'cleared')]).stored).toEqual([
      change('Ann', total(), 15, 'cleared', [3]),
    ]);
  });

  test('of what is there already is stored as agreement, a clearing of what is cleared too; clearing an empty cell is nothing', () => {
    const cleared = facts([
      ['Ann', total(), 3],
      ['Ann', total(), 'cleared', [3]],
    ]);
    expect(entered(facts([['Ann', total(), 3]]), [cell('Ann', 3), cell('Abe', 'cleared')]).stored).toEqual([
      change('Ann', total(), 15, 3, [3]),
    ]);
    expect(entered(cleared, [cell('Ann', 'cleared')]).stored).toEqual([change('Ann', total(), 15, 'cleared', ['cleared'])]);
    enterMarks([], save([cell('Abe', 'cleared')])).nothing();
  });

  test('has a cell once: the last value, over what was seen first', () => {
    expect(entered(facts(), [cell('Ann', 3, { was: [1] }), cell('Abe', 1), cell('Ann', 4, { was: [3] })]).stored).toEqual([
      change('Ann', total(), 15, 4, [1]),
      change('Abe', total(), 15, 1),
    ]);
  });

  test('with a number that is not above the last one is refused, and says how to go on: its values would cover newer ones', () => {
    const late = 'A later save of this entry is stored already. Send these marks under a new number.';
    for (const seq of [1, 2]) {
      enterMarks([saved(2, id('teacher'))], save([cell('Ann', 3)], seq)).refused(late);
    }
    enterMarks([saved(2, id('teacher'))], save([cell('Ann', 3)], 3)).events();
  });

  test("goes into an entry of one's own", () => {
    enterMarks([saved(1, id('colleague'))], save([cell('Ann', 3)], 2)).refused(notTheirs);
    enterMarks([saved(1, id('colleague'))], save([cell('Ann', 3)], 1)).refused(notTheirs);
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
  const decideMark = deciding(DecideMark, {}, known, teacher);
  const decided = (input: object, by = teacher) => changes(decideMark([], input, known, by).events());

  test('covers the values that its author chose from', () => {
    expect(decided(decide(11, [10, 11]))).toEqual([change('Ann', total(), 15, 11, [10, 11])]);
    expect(decided(decide(13, [10, 11]))).toEqual([change('Ann', total(), 15, 13, [10, 11])]);
    expect(decided(decide('cleared', [10, 11]))).toEqual([change('Ann', total(), 15, 'cleared', [10, 11])]);
  });

  test('that decides nothing is kept beside the others', () => {
    expect(decided(decide(10, [10]))).toEqual([change('Ann', total(), 15, 10, ['sat'])]);
  });

  test('is for who may write there, of what can stand there', () => {
    decideMark([], decide(11, [10, 11], { studentId: id('Ben') })).refused('You may not enter marks for this class.');
    decideMark([], decide(16, [10, 11])).refused('Max mark available is 15');
    decideMark([], decide(-1, [10, 11])).refused('Value must be an integer');
    decideMark([], decide(11, [10, 11], { studentId: id('Nobody') })).refused('This student is in no class of this subject.');
    decideMark([], decide(11, [10, 11], { testId: id('foreign') })).refused('There is no such question in this subject.');
  });

  test("goes into an entry of one's own", () => {
    const theirs: Happened = {
      type: 'MarkDecided',
      data: { subjectId, marks: { columns: [], students: [], is: [] } },
      by: id('colleague'),
    };
    decideMark([theirs], decide(11, [10, 11])).refused(notTheirs);
  });
});
