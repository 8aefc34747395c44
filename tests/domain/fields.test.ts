import { describe, expect, test } from 'vitest';
import { enterMarks } from '../../api/marks/marks.contract.ts';
import { checkRanking, decideResults } from '../../api/tasks/feedback-task.contract.ts';
import { createGradeProfile } from '../../api/tasks/grades/grade-profile.contract.ts';
import { addTerminalExam } from '../../api/school/school.contract.ts';
import { admissionNo, fileName, label, personName, personNameInFile } from '../../api/contract/fields.ts';

describe('a name', () => {
  test('is one line, without what nobody sees and what turns the text around it', () => {
    for (const [pasted, name] of [
      ['A\u200bn\u2060n\ufeff Sm\u00adith', 'Ann Smith'],
      [' Ann \r\n\t Smith\u2028', 'Ann Smith'],
      // Composed after what stood between was taken away.
      ['Re\u200b\u0301ne', 'R\u00e9ne'],
    ] as const) {
      for (const field of [personName, personNameInFile, label, admissionNo, fileName]) expect(field.parse(pasted)).toBe(name);
    }
  });

  test('of a person with control characters, or with what turns the text around it, is refused; of anything else it loses them', () => {
    for (const [typed, name] of [
      ['Ann\u202e htimS', 'Ann htimS'],
      ['\u2066Ann Smith\u2069', 'Ann Smith'],
      ['\u202aAnn\u202c Smith', 'Ann Smith'],
      ['Ann\u0007 \u001b[31mSmith\u009f', 'Ann [31mSmith'],
    ] as const) {
      expect([typed, personName.safeParse(typed).error?.issues[0]?.message]).toEqual([
        typed,
        'A name has no control characters. Type it again.',
      ]);
      for (const field of [personNameInFile, label, admissionNo, fileName]) expect(field.parse(typed)).toBe(name);
    }
  });

  test('keeps what honest names are written with', () => {
    for (const name of [
      'نیلوفر می\u200cخواهم',
      'क\u094d\u200dष',
      'ශ\u0dca\u200dරී',
      'אבא (A)\u200f',
      "O'Neill-Åström",
      '李小龍',
      '👩\u200d🔬 Lab',
      'Ng\u0169g\u0129',
    ]) {
      expect(personName.parse(name)).toBe(name);
    }
  });

  test('of a million blanks is refused', () => {
    // With an expression that backtracks the test would never end.
    expect(personName.safeParse(`a${' '.repeat(1_000_000)}b`).success).toBe(false);
  });

  test('can be seen', () => {
    for (const blank of ['', '  ', '\u200d', '\u200e\u200f', '\u3164', '\u115f\u1160', '\u2800', '\uffa0'])
      expect(personName.safeParse(blank).error?.issues[0]?.message, JSON.stringify(blank)).toBe('Required');
  });
});

describe('a number', () => {
  const id = '7d44f3c1-9a06-4f5b-8d3e-1f2a3b4c5d6e';
  const whole = 'The value must be an integer number';
  const result = { studentId: id, ranking: 1, score: 50, grade: '9', exempt: false };
  const saidOf = {
    'a mark': (is: unknown) => enterMarks.safeParse({ entryId: id, subjectId: id, seq: 1, cells: [{ studentId: id, testId: id, is }] }),
    'a percentage': (percent: unknown) =>
      createGradeProfile.safeParse({ subjectId: id, yearGroupId: id, name: 'GCSE', grades: [{ label: '9', percent }] }),
    'an order': (teacherRank: unknown) =>
      checkRanking.safeParse({ taskId: id, setId: id, rows: [{ studentId: id, flag: false, teacherRank }] }),
    'a ranking': (ranking: unknown) => decideResults.safeParse({ taskId: id, rows: [{ ...result, ranking }] }),
    'a score': (score: unknown) => decideResults.safeParse({ taskId: id, rows: [{ ...result, score }] }),
    'a school year': (yearSat: unknown) => addTerminalExam.safeParse({ subjectId: id, name: 'GCSE', yearSat }),
  };

  test.each([
    ['a mark', ['5', 1.5, null, Infinity], 'Value must be an integer'],
    ['a percentage', ['100', Infinity, 33.3, null], whole],
    ['an order', ['1', 1.5, Infinity], whole],
    ['a ranking', ['1', 1.5, Infinity], whole],
    ['a score', ['5', true], 'The score must be a number, such as 71.2.'],
    ['a score', [0, -1, -Infinity], 'The score must be greater than zero.'],
    ['a score', [1_000.01, Infinity], 'The score must not be greater than 1000.'],
    ['a school year', ['6', 1.5, Infinity], whole],
    ['a school year', [10_000], 'The value must be less than 10000'],
  ] as const)('that is %s: of %j it is said', (what, values, message) => {
    for (const value of values) expect([value, saidOf[what](value).error?.issues[0]?.message]).toEqual([value, message]);
  });
});
