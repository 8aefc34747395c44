import { expect, test } from 'vitest';
import { parsePrior } from '../../../api/prior/prior-file.contract.ts';
import {
  isEnoughPrior,
  percentCut,
  pointed,
  priorPoints,
  wrongPriorScore,
  wrongYearCompleted,
  yearsCompleted,
} from '../../../api/prior/prior-score.contract.ts';
import { EnterPriorScores, RedoPriorScores, UndoPriorScores, UploadPriorScores } from '../../../api/prior/prior.commands.ts';
import type { PriorFacts, PriorStudent } from '../../../api/prior/prior.facts.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, deciding, given, id } from '../../support/decider.ts';

const exam = { subjectId: id('maths'), terminalExamId: id('ks2') };
const year = new Date().getUTCFullYear();
const students: readonly PriorStudent[] = ['anna', 'ben'].map((name) => ({
  studentId: id(name),
  admissionNo: `00${name}`,
  name,
  setName: '11A',
}));
const known: PriorFacts = {
  students: new Map(students.map((student) => [student.studentId, student])),
  byAdmissionKey: new Map(students.map((student) => [student.admissionNo, student])),
};
const said = (scores: Readonly<Record<string, string>>, by: string, yearCompleted = year): Happened => ({
  type: 'PriorScoresEntered',
  data: {
    subjectId: exam.subjectId,
    yearCompleted,
    scores: Object.entries(scores).map(([name, score]) => ({ studentId: id(name), score })),
  },
  by: id(by),
  commandId: id(`entry of ${by}`),
});
const undone = (by: string): Happened => ({
  type: 'PriorScoresUndone',
  data: { subjectId: exam.subjectId, commandId: id(`entry of ${by}`) },
});
const enter = (scores: Readonly<Record<string, string>>, was?: string | null) => ({
  ...exam,
  yearCompleted: year,
  scores: Object.entries(scores).map(([name, score]) => ({ studentId: id(name), score, ...(was === undefined ? {} : { was }) })),
});
const leader = actor('leader');

const enterPriorScores = deciding(EnterPriorScores, {}, known, leader);

test('a score is a number or a letter in either case, and is kept as it was typed', () => {
  for (const right of ['A*', 'a*', 'A', 'b', 'G', 'u', 'U', '0', '104', '99.5', '-1.25', '.5', '-.25', '0.12345'])
    expect([right, wrongPriorScore(right)]).toEqual([right, undefined]);
  for (const wrong of ['', 'A**', '9-', 'H', 'AB', '1,000', '4+', 'n/a', '*', '1e3', '٣', 'B*', '.', '5.', '1.2.3'])
    expect([wrong, wrongPriorScore(wrong)]).toEqual([wrong, 'Value must be numeric or a grade from A*-G or U']);
  expect(['18,5', '-1,25', '1,000'].map(pointed)).toEqual([['Write it with a point: 18.5'], ['Write it with a point: -1.25'], []]);
  given([])
    .when(EnterPriorScores, enter({ anna: ' a* ', ben: 'c' }), known)
    .then([
      {
        type: 'PriorScoresEntered',
        data: {
          subjectId: exam.subjectId,
          yearCompleted: year,
          scores: [
            { studentId: id('anna'), score: 'a*' },
            { studentId: id('ben'), score: 'c' },
          ],
        },
      },
    ]);
  given([])
    .when(EnterPriorScores, enter({ anna: 'A**' }), known)
    .invalid('Value must be numeric or a grade from A*-G or U');
  expect(['A*', 'a', 'B', 'c', 'D', 'e', 'F', 'g', 'U', '104.5'].map(priorPoints)).toEqual([56, 48, 40, 32, 24, 16, 8, 0, 0, 104.5]);
});

test('the year completed is one of the last 15', () => {
  expect(yearsCompleted(2026)).toEqual([2026, 2025, 2024, 2023, 2022, 2021, 2020, 2019, 2018, 2017, 2016, 2015, 2014, 2013, 2012]);
  const summer = new Date('2026-07-01T12:00:00Z');
  expect([2011, 2012, 2026, 2027, 2020.5].map((one) => wrongYearCompleted(one, summer) === undefined)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  // In Auckland it is 2027 already, in Honolulu still 2026.
  expect([2011, 2012, 2027].map((one) => wrongYearCompleted(one, new Date('2026-12-31T20:00:00Z')) === undefined)).toEqual([
    false,
    true,
    true,
  ]);
  expect(wrongYearCompleted(2012, new Date('2027-01-01T05:00:00Z'))).toBeUndefined();
  given([])
    .when(EnterPriorScores, { ...enter({ anna: 'A' }), yearCompleted: year - 20 }, known)
    .invalid('The year completed must be one of the last 15 years.');
});

test('90 % is counted, not rounded, and shown cut', () => {
  expect([isEnoughPrior(656, 729), isEnoughPrior(657, 729), isEnoughPrior(9, 10), isEnoughPrior(0, 0)]).toEqual([false, true, true, false]);
  expect([percentCut(656, 729), percentCut(657, 729), percentCut(10, 10), percentCut(0, 0)]).toEqual([
    '89.9 %',
    '90.1 %',
    '100.0 %',
    '0.0 %',
  ]);
});

test('of a file, students who cannot be found are left out, and the rest is stored', () => {
  const file = { ...exam, yearCompleted: year, fileName: 'ks2.csv' };
  const row = (admissionNo: string, score: string) => ({ admissionNo, name: admissionNo, score });
  given([])
    .when(UploadPriorScores, { ...file, rows: [row('00Anna', 'B'), row('nobody', 'C')] }, known)
    .then([
      {
        type: 'PriorScoresUploaded',
        data: {
          subjectId: exam.subjectId,
          yearCompleted: year,
          scores: [{ studentId: id('anna'), score: 'B' }],
          about: { fileName: 'ks2.csv' },
        },
      },
    ]);
  given([])
    .when(UploadPriorScores, { ...file, rows: [row('nobody', 'C')] }, known)
    .nothing();
  given([])
    .when(UploadPriorScores, { ...file, rows: [row('00anna', 'B'), row('00ANNA', 'C')] }, known)
    .refused('A student is listed more than once. Each student may have one row.', 'rows.1.admissionNo');
});

test('who repeats their own score writes nothing; who agrees with somebody else does, so that an undo leaves theirs', () => {
  const byLeader = said({ anna: 'B', ben: 'C' }, 'leader');
  enterPriorScores([byLeader], enter({ anna: 'B' })).nothing();
  expect(enterPriorScores([byLeader], enter({ anna: 'B' }), known, actor('admin')).events()).toHaveLength(1);
  enterPriorScores([byLeader], enter({ anna: 'b' })).nothing();
  expect(enterPriorScores([byLeader, undone('leader')], enter({ anna: 'B' })).events()).toHaveLength(1);
  // Somebody has said otherwise since: it is no repetition.
  expect(enterPriorScores([byLeader, said({ anna: 'A' }, 'admin')], enter({ anna: 'B' })).events()).toHaveLength(1);
  // The same score of an earlier year is history, not what counts.
  expect(enterPriorScores([byLeader], { ...enter({ anna: 'B' }), yearCompleted: year - 1 }).events()).toHaveLength(1);
});

test('a score that somebody else has changed since it was seen is not overwritten', () => {
  const standing = [said({ anna: 'B' }, 'leader'), said({ anna: 'A' }, 'admin')];
  const refusal = enterPriorScores(standing, enter({ anna: 'C' }, 'B')).refusal();
  expect([refusal.code, refusal.title, refusal.errors]).toEqual([
    'conflict',
    'Somebody else has changed scores meanwhile. Nothing was stored: look at them, then store yours again.',
    [{ path: `students.${id('anna')}`, message: 'anna: now A' }],
  ]);
  expect(enterPriorScores(standing, enter({ anna: 'C' }, 'A')).events()).toHaveLength(1);
  expect(enterPriorScores([], enter({ anna: 'C' }, null)).events()).toHaveLength(1);
  enterPriorScores(standing, enter({ anna: 'C' }, null)).refused(/changed scores meanwhile/);
});

test('an entry is undone once, and redone only if it is undone', () => {
  const turn = { ...exam, commandId: id('entry of leader') };
  const entered = said({ anna: 'B' }, 'leader');
  given([entered])
    .when(UndoPriorScores, turn, known)
    .then([undone('leader')]);
  given([entered, undone('leader')])
    .when(UndoPriorScores, turn, known)
    .nothing();
  given([entered]).when(RedoPriorScores, turn, known).nothing();
  given([entered, undone('leader')])
    .when(RedoPriorScores, turn, known)
    .then([{ type: 'PriorScoresRedone', data: { subjectId: exam.subjectId, commandId: id('entry of leader') } }]);
  given([]).when(UndoPriorScores, turn, known).refused('There is no such upload.');
});

test('an undo of many scores that count, or of some that a ranking rests on, asks first if it is to ask', () => {
  const turn = { ...exam, commandId: id('entry of leader') };
  const many = said(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`student ${n}`, '100'])), 'leader');
  const undoing = (happened: readonly Happened[], rankings: number, ask = true) =>
    given(happened).when(UndoPriorScores, { ...turn, ask }, { ...known, rankings });
  expect(undoing([many], 0).refusal()).toMatchObject({
    code: 'answers-needed',
    title: 'This takes back 101 scores.',
    asks: { scores: 101, rankings: 0 },
  });
  undoing([many], 0, false).then([undone('leader')]);
  undoing([said({ anna: 'B' }, 'leader')], 0).then([undone('leader')]);
  expect(undoing([said({ anna: 'B' }, 'leader')], 1).refusal().title).toBe(
    'This takes back 1 score. 1 ranking rests on this exam, and would not change by itself.',
  );
  expect(undoing([said({ anna: 'B' }, 'leader')], 4).refusal().title).toMatch(
    /4 rankings rest on this exam, and would not change by themselves\.$/u,
  );
  // Somebody has said otherwise since: nothing of it counts.
  undoing([said({ anna: 'B' }, 'leader'), said({ anna: 'A' }, 'admin')], 1).then([undone('leader')]);
  undoing([many, undone('leader')], 1).nothing();
});

test('who left the subject meanwhile is named, and nothing is stored', () => {
  given([])
    .when(EnterPriorScores, enter({ anna: 'B', carl: 'C' }), known)
    .refused('1 student(s) are no longer in a class of this subject.', 'scores.1.studentId');
});

const csv = (text: string) => parsePrior({ name: 'prior.csv', type: 'text/csv', bytes: new TextEncoder().encode(text) });

test('a file has the columns StudentID, LastFirst, Grade in this order', () => {
  const wrong = 'The upload file is invalid. Please check you have uploaded using the correct template.';
  expect(csv('StudentID,LastFirst,Grade\n00123,"Ames, Ann", C \n00124,"Bell, Ben",\n00125,Cox,u\n')).toEqual({
    ok: true,
    rows: [
      { line: 2, admissionNo: '00123', name: 'Ames, Ann', score: 'C' },
      { line: 4, admissionNo: '00125', name: 'Cox', score: 'u' },
    ],
    blank: 1,
  });
  for (const header of ['StudentID,Grade,LastFirst', 'StudentID,LastFirst', 'StudentID,LastFirst,Q1', 'ID,LastFirst,Grade'])
    expect(csv(`${header}\n1,2,3\n`)).toMatchObject({ ok: false, message: wrong });
  expect(csv('StudentID,LastFirst,Grade\n1,Ames,A**\n2,Bell,9-\n3,Cox,b\n4,Dee,H\n')).toMatchObject({
    ok: false,
    message: 'The upload file is invalid. The grades submitted should be numeric or A* to G or U.',
    problems: [
      { line: 2, column: 'Grade', value: 'A**' },
      { line: 3, column: 'Grade', value: '9-' },
      { line: 5, column: 'Grade', value: 'H' },
    ],
  });
  expect(csv('StudentID,LastFirst,Grade\n1,Ames,A\n2,Bell,"18,5"\n')).toMatchObject({
    message: 'The upload file is invalid. The grades submitted should be numeric or A* to G or U.',
    detail: 'See line 3, Grade: "18,5". Write it with a point: 18.5.',
    problems: [{ line: 3, column: 'Grade', value: '18,5' }],
  });
  expect(csv('StudentID,LastFirst,Grade\n1,Ames,A\n1,Ames,B\n')).toMatchObject({
    ok: false,
    message: 'Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.',
  });
});
