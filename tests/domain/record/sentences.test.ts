import { describe, expect, test } from 'vitest';
import { toColumns } from '../../../events/codec/columnar.ts';
import { forgotten } from '../../../events/codec/event.ts';
import type { RecordedEvent } from '../../../events/registry.ts';
import { eventTypes } from '../../../events/registry.ts';
import type { Change, Sentence } from '../../../events/sentence.ts';
import { describe as described } from '../../../events/sentences.ts';
import { samples } from '../../codec/sample.ts';
import { metadata, school, uuid } from '../../codec/support.ts';

type Type = RecordedEvent['type'];
type DataOf<T extends Type> = Extract<RecordedEvent, { type: T }>['data'];

const recorded = (type: string, data: unknown, id: string) =>
  ({ type, data, stream: `any-${school}.${id}`, metadata: metadata() }) as unknown as RecordedEvent;

/** Things by the names that made their ids here; more than three are counted, as in the record. */
const names = new Map<string, string>();
const named = (name: string): string => {
  names.set(uuid(name), name);
  return uuid(name);
};
const read = (sentence: Sentence): string =>
  sentence
    .map((part) =>
      typeof part === 'string'
        ? part
        : part.ids.length > 3
          ? `${part.ids.length} of ${part.kind}`
          : part.ids.map((id) => names.get(id) ?? `a ${part.kind}`).join(' and '),
    )
    .join('');

const of = <T extends Type>(
  type: T,
  data: DataOf<T>,
  id = 'nothing else',
): { readonly sentence: string; readonly changes: readonly Change[] } => {
  const { sentence, changes } = described(recorded(type, data, id));
  return { sentence: read(sentence), changes };
};

/** As if everybody had been forgotten who is in it, and its author. */
const withoutPeople = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, ['person', 'about', 'comment'].includes(key) ? forgotten : withoutPeople(part)]),
  );
};

test.each(Object.entries(eventTypes))('%s says in one sentence what was done, and nothing that it must not', (type, { schema }) => {
  for (const data of samples(schema).flatMap((sample) => [sample, withoutPeople(sample)])) {
    const { sentence, changes } = described(recorded(type, data, `${uuid('test')}.${uuid('anna')}`));
    const text = read(sentence);
    expect(text).toMatch(/^[a-z]+ /);
    expect(text).not.toMatch(/\.$|undefined|NaN|  /);
    expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    // Examples of text name their own place: `text of $.person.email`.
    expect(text).not.toMatch(/@|person|dateOfBirth|\$\S*comment/);
    expect(JSON.stringify(changes)).not.toMatch(/@|\.email|comment/);
    for (const { id, to } of changes) expect([id, to]).not.toContain(undefined);
  }
});

const [ada, ben, cem] = [named('Ada'), named('Ben'), named('Cem')];
const [autumn, maths, x1, mock] = [named('Autumn test'), named('Mathematics'), named('11X1'), named('Mock')];
const at = { cell: { kind: 'total', testId: autumn }, was: [] } as const;
const present = { cell: { kind: 'attendance', testId: autumn }, was: [] } as const;
const totals = toColumns([
  { studentId: ada, ...at, is: 31, was: [30] },
  { studentId: ben, ...at, is: 12 },
  { studentId: cem, ...present, is: 'absent' },
]);
const nobody = { subjectId: maths, added: [], enrolled: [], moved: [], corrected: [], offRolled: [], removed: [] };
const person = { admissionNo: '0042', name: 'Ada Byron', dateOfBirth: '2010-12-10', tag: 'a tag' };
const refused = { studentId: ada, testId: autumn, is: 99, reason: 'above-maximum' } as const;

describe('in words', () => {
  test.each<[string, { readonly sentence: string }]>([
    [
      'uploaded 2 totals of Autumn test (sat on 12 March 2026) from totals.csv and marked 1 student as absent',
      of('TotalsUploaded', { subjectId: maths, marks: totals, about: { fileName: 'totals.csv' }, satOn: '2026-03-12' }),
    ],
    [
      'uploaded 2 totals of Autumn test from (forgotten) and marked 1 student as absent',
      of('TotalsUploaded', { subjectId: maths, marks: totals, about: forgotten }),
    ],
    [
      'entered 1 total of Autumn test, cleared 1 total and marked 1 student as exempt; 2 were refused',
      of('MarksEntered', {
        subjectId: maths,
        seq: 1,
        marks: toColumns([
          { studentId: ada, ...at, is: 'cleared' },
          { studentId: ben, ...at, is: 5 },
          { studentId: cem, ...present, is: 'exempt' },
        ]),
        refused: [refused, refused],
      }),
    ],
    [
      'marked 1 student as absent from Autumn test',
      of('MarksEntered', { subjectId: maths, seq: 1, marks: toColumns([{ studentId: cem, ...present, is: 'absent' }]), refused: [] }),
    ],
    [
      'tried to enter 1 mark of Autumn test, which was refused',
      of('MarksEntered', { subjectId: maths, seq: 1, marks: toColumns([]), refused: [refused] }),
    ],
    [
      'imported students from year9.csv: 1 new, 2 moved, 1 to Off-Roll',
      of('StudentsImported', {
        ...nobody,
        added: [{ studentId: ada, setId: x1, person }],
        moved: [ben, cem].map((studentId) => ({ studentId, setId: x1 })),
        offRolled: [uuid('dan')],
        about: { fileName: 'year9.csv' },
      }),
    ],
    ['moved Ada to 11X1', of('StudentMoved', { studentId: ada, subjectId: maths, setId: x1 })],
    ['renamed a class to 11X2', of('SetRenamed', { setId: x1, name: '11X2' })],
    [
      'set the RAG thresholds of 11X1 to red 0 %, amber 40 %, green 70 %',
      of('SetThresholdsChanged', { setId: x1, thresholds: { red: 0, amber: 40, green: 70 } }),
    ],
    ['viewed the pages of Ada', of('StudentLookedAt', { studentId: ada })],
    ['downloaded the marks of Autumn test', of('DataHandedOut', { what: 'marks', as: 'file', subjectId: maths, testId: autumn })],
    ['printed the joining code of Mathematics', of('DataHandedOut', { what: 'joining code', as: 'paper', subjectId: maths })],
    [
      'downloaded the markbook of 11X1 in Mathematics, as it was on 12 March 2026, 09:30 UTC',
      of('DataHandedOut', { what: 'markbook', as: 'file', subjectId: maths, setId: x1, asOf: '2026-03-12T09:30:00.000Z' }),
    ],
    [
      'looked at the school as it was on 12 March 2026, 09:30 UTC',
      of('DataHandedOut', { what: 'earlier moment', as: 'screen', asOf: '2026-03-12T09:30:00.000Z' }),
    ],
    [
      'checked the ranking of 11X1 in Mock, flagging 1 student',
      of('RankingChecked', { setId: x1, rows: [{ studentId: ada, teacherRank: 3, flag: true }] }, mock),
    ],
    [
      'completed the feedback task Mock without waiting for the check of 11X1',
      of('FeedbackTaskCompleted', { without: [{ setId: x1, about: { reason: 'She is ill.' } }] }, mock),
    ],
    ['reopened the own marks of Ada in Autumn test', of('SubmissionReopened', { subjectId: maths, total: 3 }, `${autumn}.${ada}`)],
    ['opened the school Hill School', of('SchoolOpened', { name: 'Hill School' })],
  ])('%s', (words, { sentence }) => {
    expect(sentence).toBe(words);
  });
});

describe('what was set', () => {
  test('of marks: with what its author saw', () => {
    const { changes } = of('TotalsUploaded', { subjectId: maths, marks: totals, about: { fileName: 'totals.csv' } });
    const inTest = { of: 'student', in: { kind: 'assessment', id: autumn } };
    expect(changes).toEqual([
      { ...inTest, id: ada, field: 'Total', to: 31, from: [30] },
      { ...inTest, id: ben, field: 'Total', to: 12, from: [] },
      { ...inTest, id: cem, field: 'Attendance', to: 'absent', from: [] },
    ]);
  });

  test('of a student: details and class, until the student is forgotten', () => {
    const valuesOf = (who: typeof person | typeof forgotten) =>
      Object.fromEntries(
        of('StudentAdded', { studentId: ada, subjectId: maths, setId: x1, person: who }).changes.map(({ field, to }) => [field, to]),
      );
    const place = { kind: 'class', ids: [x1] };
    expect(valuesOf(person)).toEqual({
      Name: { words: 'Ada Byron' },
      'Date of birth': { words: '10 December 2010' },
      StudentID: { words: '0042' },
      Class: place,
    });
    const gone = { words: '(forgotten)' };
    expect(valuesOf(forgotten)).toEqual({ Name: gone, 'Date of birth': gone, StudentID: gone, Class: place });
  });

  test('of a check: that there is a comment, not what it says', () => {
    const rows = [{ studentId: ada, teacherRank: null, flag: true, comment: { text: 'Has been ill' } }];
    const { changes } = of('RankingChecked', { setId: x1, rows }, mock);
    const inTask = { of: 'student', id: ada, in: { kind: 'task', id: mock } };
    expect(changes).toEqual([
      { ...inTask, field: 'Teacher rank', to: null },
      { ...inTask, field: 'Flag of the ranking', to: true },
      { ...inTask, field: 'Comment', to: { words: 'changed' } },
    ]);
  });

  test('of what a student has only saved: no mark', () => {
    const { changes } = of(
      'SubmissionSaved',
      { subjectId: maths, ownMarks: [{ questionId: uuid('q'), mark: 2, max: 3 }] },
      `${autumn}.${ada}`,
    );
    expect(changes.map(({ field, to }) => [field, to])).toEqual([['Own marks', { words: 'saved' }]]);
  });
});
