import { describe, expect, it } from 'vitest';
import { isCheckOvertaken, rowOf, checkInputText, wrongRank } from '../../../staff-ui/tasks/check/check-input.ts';
import {
  decisionOf,
  finalDraftLines,
  gradeAfterRank,
  gradeForRank,
  isDecisionOvertaken,
  isSameFinalInput,
  isStored,
  seenAfter,
  storedInput,
  typedScore,
  inputAbout,
  withInput,
  wrongIn,
} from '../../../staff-ui/tasks/dialog/final-check.ts';
import { choicesOf, EVERYBODY, filtered } from '../../../staff-ui/tasks/ranking/Filtered.tsx';
import { notices } from '../../../staff-ui/tasks/ranking/preview-notices.ts';
import { nowOf, priorText } from '../../../staff-ui/tasks/ranking/figures.ts';
import { awaitedOf } from '../../../staff-ui/tasks/waiting.ts';
import { offeredMaps, missingText, presetMaps, presetText } from '../../../staff-ui/tasks/dialog/maps.ts';
import { notifiedTone } from '../../../staff-ui/tasks/NotNotifiedNotice.tsx';
import { awaited, lastOpen, mayContinue, mayOpen, nextStep, withoutOf } from '../../../staff-ui/tasks/dialog/steps.ts';

type Task = Parameters<typeof mayContinue>[0];
type Status = Task['lowest'];

/** A task of classes at these statuses. */
const task = (statuses: readonly Status[], teacherInput = true): Task => ({
  taskId: 'task',
  name: 'Spring',
  expiry: '2026-12-01',
  teacherInput,
  createdAt: '2026-11-01T09:00:00Z',
  status: statuses.every((status) => status === 6)
    ? 6
    : (Math.min(5, Math.floor(statuses.reduce<number>((sum, one) => sum + one, 0) / statuses.length)) as Status),
  subjectId: 'subject',
  yearGroupId: 'year',
  year: 11,
  createdBy: 'Mrs Hill',
  lowest: Math.min(...statuses) as Status,
  step: 2,
  students: 60,
  sets: statuses.map((status, index) => ({
    setId: `set ${index}`,
    name: `11X${index}`,
    students: 30,
    status,
    since: '2026-11-01T09:00:00Z',
    tests: [],
    teachers: [],
    rankingChecked: null,
    gradesChecked: null,
    withoutRanking: null,
    withoutGrades: null,
  })),
  otherSets: [],
  offered: [],
  ranking: null,
  grades: null,
  endedContested: null,
});

describe('Continue', () => {
  it('waits until the furthest behind is far enough, whatever the mean is', () => {
    expect([2, 3, 4, 5, 6].map((step) => mayContinue(task([0, 6]), step as 2, {}))).toEqual([false, false, false, false, false]);
    expect([2, 3, 4].map((step) => mayContinue(task([2, 3]), step as 2, {}))).toEqual([true, true, false]);
    expect([4, 5, 6].map((step) => mayContinue(task([4, 5]), step as 4, {}))).toEqual([true, true, false]);
    expect(mayContinue(task([5, 5]), 6, {})).toBe(true);
  });

  it('goes on without a class once there is a reason, and sends the reasons of only those that are awaited', () => {
    const half = task([2, 3]);
    expect(mayContinue(half, 4, { 'set 0': '  ' })).toBe(false);
    expect(mayContinue(half, 4, { 'set 0': 'Ill', 'set 1': 'typed, then checked' })).toBe(true);
    expect(withoutOf(half, 'ranking', { 'set 0': ' Ill ', 'set 1': 'typed, then checked' })).toEqual([{ setId: 'set 0', reason: 'Ill' }]);
  });

  it('skips what teachers do when they do not check', () => {
    const alone = task([2, 2], false);
    expect(awaited(alone, 'ranking', {})).toEqual([]);
    expect(nextStep(3, false)).toBe(5);
    expect(nextStep(5, false)).toBe(7);
    expect(nextStep(3, true)).toBe(4);
    expect([3, 5, 6, 7].map((step) => mayOpen(alone, step as 3, {}))).toEqual([true, true, false, false]);
  });

  it('goes back no further than somebody has taken the task', () => {
    const lastOf = (of: Task, step: Task['step']) => lastOpen({ ...of, step }, (one) => mayOpen(of, one, {}));
    expect([lastOf(task([3, 3]), 5), lastOf(task([2, 3]), 4), lastOf(task([1, 1]), 3), lastOf(task([0, 1]), 2)]).toEqual([5, 4, 3, 2]);
    expect(lastOf(task([2, 2], false), 5)).toBe(5);
  });

  it('opens every step of a task that has ended', () => {
    expect([1, 2, 3, 4, 5, 6, 7].every((step) => mayOpen(task([6, 6]), step as 1, {}))).toBe(true);
  });
});

describe('the final check', () => {
  const computed = { ranking: 3, score: 71.2, grade: '7' };
  const student = { studentId: 'a', ...computed, computed, decided: null, exempt: false };
  const unranked = {
    studentId: 'b',
    ranking: null,
    score: null,
    grade: null,
    computed: { ranking: null, score: null, grade: null },
    decided: null,
    exempt: false,
  };

  it('decides only what differs from what was computed, and tells what was seen', () => {
    const was = { ranking: null, score: null, grade: null, exempt: false };
    expect(decisionOf(student, { ...storedInput(student), grade: '8 ' })).toEqual({
      studentId: 'a',
      ranking: null,
      score: null,
      grade: '8',
      exempt: false,
      was,
    });
    const decided = {
      ...student,
      grade: '8',
      decided: { ranking: null, score: null, grade: '8', by: 'Mrs Hill', at: '2026-11-01T09:00:00Z' },
    };
    expect(decisionOf(decided, { ...storedInput(decided), grade: '7' })).toMatchObject({ grade: null, was: { grade: '8' } });
  });

  it('tells a decision that somebody else made meanwhile from one that says the same', () => {
    const by = { by: 'Mrs Hill', at: '2026-11-01T09:00:00Z' };
    const nothing = { ranking: null, score: null, grade: null };
    expect(isDecisionOvertaken(student, { ...student, decided: { ...nothing, grade: '8', ...by } })).toBe(true);
    expect(isDecisionOvertaken(student, { ...student, exempt: true, decided: { ...nothing, ...by } })).toBe(true);
    expect(isDecisionOvertaken(student, { ...student, decided: { ...nothing, ...by } })).toBe(false);
    // As scores read everywhere, with all decimals of one that was given by hand.
    expect([71.2, 1071.234, null].map(typedScore)).toEqual(['71.20', '1071.234', '']);
    expect(isSameFinalInput({ ...storedInput(student), score: ' 71.2' }, storedInput(student))).toBe(true);
    expect(isSameFinalInput({ ...storedInput(student), score: '' }, storedInput(student))).toBe(false);
  });

  it('follows new figures where nothing was typed, and keeps what was', () => {
    const before = { ...student, name: 'Adams, Ann' } as never;
    const after = { ...student, ranking: 5, score: 60, grade: null, computed: { ranking: 5, score: 60, grade: null } };
    const decision = withInput(undefined, before, { grade: '9' });
    expect(finalDraftLines(decision ? { a: decision } : {})).toEqual(['Adams, Ann: grade 9']);
    expect(inputAbout(after, decision)).toEqual({ ranking: '5', score: '60.00', grade: '9', exempt: false });
    expect(decisionOf(after, inputAbout(after, decision), decision?.saw)).toMatchObject({ ranking: null, score: null, grade: '9' });
    // Typed back as it was, nothing is left to be stored.
    expect(withInput(decision, before, { grade: '7' })).toBeUndefined();
  });

  it('keeps what is typed over a decision while that is on its way, as typed after it', () => {
    const ann = { ...student, name: 'Adams, Ann' } as Parameters<typeof withInput>[1];
    const sent = withInput(undefined, ann, { grade: '9' });
    const seen = seenAfter(ann, inputAbout(ann, sent));
    const untouched = sent && { ...sent, saw: seen };
    expect(untouched && isStored(untouched)).toBe(true);
    expect(finalDraftLines(untouched ? { a: untouched } : {})).toEqual([]);
    const over = withInput(sent, ann, { grade: '8' }, true);
    const left = over && { ...over, saw: seen };
    expect(finalDraftLines(left ? { a: left } : {})).toEqual(['Adams, Ann: grade 8']);
    const stored = { ranking: null, score: null, grade: '9', by: 'Mrs Hill', at: '2026-11-01T09:00:00Z' };
    const now = { ...ann, grade: '9', decided: stored };
    expect(left && isDecisionOvertaken(left.saw, now)).toBe(false);
    expect(decisionOf(now, inputAbout(now, left), left?.saw)).toMatchObject({ grade: '8', was: { grade: '9', exempt: false } });
    // Also what is typed back as it was before: the decision is on its way.
    const back = withInput(sent, ann, { grade: '7' }, true);
    const undone = back && { ...back, saw: seen };
    expect(finalDraftLines(undone ? { a: undone } : {})).toEqual(['Adams, Ann: grade 7']);
    expect(decisionOf(now, inputAbout(now, undone), undone?.saw)).toMatchObject({ grade: null, was: { grade: '9', exempt: false } });
  });

  it('leaves out what cannot be stored of somebody who is exempt', () => {
    const typed = { ranking: '1.5', score: '-5', grade: '', exempt: true };
    expect(decisionOf(student, typed)).toMatchObject({ ranking: null, score: null, grade: null, exempt: true });
  });

  it('asks for a grade, a whole rank above zero and a score above zero of everybody who is in it', () => {
    expect(wrongIn(storedInput(unranked), false)).toEqual({ ranking: 'Required.', score: 'Required.', grade: 'Required.' });
    expect(wrongIn({ ranking: '1.5', score: '0', grade: '7', exempt: false }, false)).toEqual({
      ranking: 'The value must be an integer number',
      score: 'The score must be greater than zero.',
    });
    // Infinity would be sent as null, which says: as it was computed.
    for (const text of ['1e309', '1e1', '0x10', '1,5', 'Infinity'])
      expect([text, wrongIn({ ranking: text, score: text, grade: '7', exempt: false }, false)]).toEqual([
        text,
        { ranking: 'The value must be an integer number', score: 'The score must be a number, such as 71.2.' },
      ]);
    expect(wrongIn({ ranking: ' 12 ', score: ' 71.25 ', grade: '7', exempt: false }, false)).toEqual({});
    expect(['1e1', '0x10', ' 7 '].map(wrongRank)).toEqual([
      'The value must be an integer number',
      'The value must be an integer number',
      undefined,
    ]);
    expect(wrongIn({ ...storedInput(unranked), exempt: true }, false)).toEqual({});
    expect(wrongIn(storedInput(unranked), true)).toEqual({});
  });

  it('offers the grade of a rank that is given by hand, also behind everybody', () => {
    const shares = [
      { label: '7', percent: 50 },
      { label: '5', percent: 50 },
    ];
    // The last one came to rank and grade by hand; one who was graded and is exempt since still counted.
    const students = [1, 2, 3, 4, null].map((rank) => ({ computed: { ranking: rank, score: 50, grade: rank && '7' }, exempt: rank === 4 }));
    const ranking = { grades: { gradesId: 'g', shares }, students } as never;
    expect(['1', '2', '3', '5', '', 'x'].map((rank) => gradeForRank(ranking, rank))).toEqual(['7', '7', '5', '5', undefined, undefined]);

    // Typed digit by digit the grade follows the whole rank, and goes with it; one that was typed or stored stays.
    const after = (rank: string, grade: string, next: string, stored: string | null = null) =>
      gradeAfterRank(ranking, stored, { ranking: rank, grade }, next);
    expect([after('', '', '1'), after('1', '7', '12'), after('12', '5', '1'), after('1', '7', '')]).toEqual(['7', '5', '7', '']);
    expect([after('1', '9', '12'), after('1', '7', '12', '7')]).toEqual([undefined, undefined]);
  });
});

describe('the check of a class', () => {
  const nothing = { rank: '', flag: false, comment: '' };
  const ill = { rank: '2', flag: true, comment: ' Was ill ' };

  it('tells what somebody else has said meanwhile from what says the same', () => {
    expect(isCheckOvertaken({ value: ill, saw: { input: nothing } }, { input: nothing })).toBe(false);
    expect(isCheckOvertaken({ value: ill, saw: { input: nothing } }, { input: { ...ill, comment: 'Was ill' } })).toBe(false);
    expect(isCheckOvertaken({ value: ill, saw: { input: nothing } }, { input: { ...nothing, rank: '3' } })).toBe(true);
    expect(isCheckOvertaken({ value: nothing, saw: { input: ill } }, { input: { ...ill, rank: '3' } })).toBe(true);
  });

  it('is sent, and read, without what is kept of a flag that was taken back', () => {
    const student = { studentId: 'a' };
    expect(rowOf(student, ill)).toEqual({ studentId: 'a', flag: true, comment: 'Was ill', teacherRank: 2 });
    expect(rowOf(student, { ...ill, flag: false, rank: '' })).toEqual({ studentId: 'a', flag: false, teacherRank: null });
    expect([ill, { ...ill, flag: false }, { ...ill, comment: '', rank: '' }, nothing].map(checkInputText)).toEqual([
      'order 2, flagged: “Was ill”',
      'order 2',
      'flagged',
      'nothing',
    ]);
  });
});

describe('classes and their assessments', () => {
  const paper = (testId: string) => ({ testId, name: testId, max: 40, status: 1 as const, entered: 1, out: 0 });
  const sets = ['x', 'y'].map((setId) => ({ setId, name: setId, students: 30, testIds: ['autumn'] }));
  const tests = [paper('autumn'), { ...paper('empty'), max: null }, paper('elsewhere')];

  it('offers what the classes of the year group have', () => {
    const { offered, isOffered } = offeredMaps(tests, sets, []);
    expect(offered.map(({ testId }) => testId)).toEqual(['autumn']);
    expect([isOffered('x autumn'), isOffered('x elsewhere')]).toEqual([true, false]);
  });

  it('shows a deleted class and a deleted assessment of the task, so that they can be taken out of it', () => {
    const held = [
      { setId: 'x', name: 'x', students: 30, tests: [paper('autumn'), paper('deleted')] },
      { setId: 'gone', name: 'gone', students: 0, tests: [paper('autumn')] },
    ];
    const all = offeredMaps(tests, sets, held);
    expect(all.sets.map(({ setId, gone }) => [setId, gone])).toEqual([
      ['x', false],
      ['y', false],
      ['gone', true],
    ]);
    expect(all.offered.map(({ testId, gone }) => [testId, gone])).toEqual([
      ['autumn', false],
      ['deleted', true],
    ]);
    expect(['x deleted', 'y deleted', 'gone autumn', 'gone deleted'].map(all.isOffered)).toEqual([true, false, true, false]);
  });

  const entered = (setId: string, testId: string, satOn: string, of: { entered?: number; inTask?: boolean } = {}) => ({
    setId,
    testId,
    students: 30,
    entered: 28,
    out: 0,
    missing: [],
    satOn,
    inTask: false,
    ...of,
  });

  it('presets each class with its newest assessment that it has totals for and that no task gives it: in two tiers, its own paper', () => {
    const all = [
      entered('x', 'autumn', '2026-10-01', { inTask: true }),
      entered('x', 'higher', '2026-11-01'),
      entered('x', 'older', '2026-09-01'),
      entered('y', 'autumn', '2026-10-01'),
      entered('y', 'foundation', '2026-11-02', { entered: 3 }),
      entered('y', 'resit', '2026-11-02'),
      entered('z', 'higher', '2026-11-01', { inTask: true }),
    ];
    expect([...presetMaps(all, () => true)]).toEqual(['x higher', 'y resit']);
    expect([...presetMaps(all, (key) => key !== 'y resit')]).toEqual(['x higher', 'y foundation']);
    const sets = ['x', 'y', 'z', 'w'].map((setId) => ({ setId, name: `11${setId}`, students: 30, gone: false }));
    expect(presetText(all, { sets, isOffered: () => true })).toBe(
      '2 of 4 classes ticked: each with its newest assessment that has totals and is in no task yet. ' +
        'Not ticked: 11z (in a task already); 11w (no totals yet).',
    );
  });

  it('names who has no total, and only counts those who were not to have one', () => {
    const adams = { studentId: 'a', name: 'Adams, Ann', admissionNo: '001' };
    expect(missingText({ missing: [adams, { studentId: 'b', name: null, admissionNo: null }], out: 0 })).toBe(
      'Adams, Ann; a forgotten student',
    );
    expect(missingText({ missing: [adams], out: 2 })).toBe('Adams, Ann; 2 absent or exempt');
    expect(missingText({ missing: [], out: 0 })).toBeUndefined();
  });
});

it('is no success that somebody, or everybody, gets no mail', () => {
  const notNotified = [{ name: 'Tom Hughes', why: 'not-proved' as const }];
  expect([
    notifiedTone({ notified: 2, notNotified: [] }),
    notifiedTone({ notified: 1, notNotified }),
    notifiedTone({ notified: 0, notNotified: [] }),
  ]).toEqual(['good', 'warn', 'warn']);
});

describe('students of a ranking', () => {
  const student = (name: string, of: object = {}) => ({
    name,
    admissionNo: `M-${name}`,
    setId: 'x',
    rankingFlag: false,
    gradeFlag: false,
    now: null,
    totalFlags: [],
    ranking: 1,
    exempt: false,
    left: false,
    ...of,
  });
  const now = { totals: [1], score: 2, ranking: 3 };
  const students = [
    student('Flagged, Zoë', { gradeFlag: true }),
    student('Changed, Ann', { now: { ...now, changed: true }, setId: 'y' }),
    student('Moved by others', { now: { ...now, changed: false } }),
    student('Contested, Ben', { totalFlags: [{ testId: 't', flag: 'contested-attendance' }] }),
    student('Above, Cat', { totalFlags: [{ testId: 't', flag: 'above-maximum' }] }),
    student('Unranked, Dan', { ranking: null }),
    student('Exempt, Eve', { ranking: null, exempt: true }),
    student('Left, Fay', { ranking: null, left: true }),
  ];
  const names = (filter: Partial<typeof EVERYBODY>) => filtered(students, { ...EVERYBODY, ...filter }).map(({ name }) => name);

  it('are shown by what there is to look at, by class, and by name or StudentID without accents', () => {
    expect(names({})).toHaveLength(8);
    expect((['flagged', 'changed', 'contested', 'unranked'] as const).map((only) => names({ only }))).toEqual([
      ['Flagged, Zoë'],
      ['Changed, Ann'],
      ['Contested, Ben'],
      ['Unranked, Dan'],
    ]);
    expect([names({ setId: 'y' }), names({ find: 'zoe' }), names({ find: 'm-above' }), names({ find: 'ann x' })]).toEqual([
      ['Changed, Ann'],
      ['Flagged, Zoë'],
      ['Above, Cat'],
      [],
    ]);
    expect(choicesOf(students, { setId: 'y' }).map(({ students: many }) => many)).toEqual([1, 0, 1, 0, 0]);
  });

  it('say what corrections would make of them, beside what was computed, and not because somebody overrode it', () => {
    const computed = { ranking: 40, score: 64, grade: '5' };
    const after = (of: { readonly score: number | null; readonly ranking: number | null }) => {
      const one = { computed, now: { totals: [], changed: false, ...of } };
      return [nowOf(one, 'score'), nowOf(one, 'ranking')];
    };
    expect(after({ score: 71.2, ranking: 44 })).toEqual(['71.20', '44']);
    expect(after({ score: 64, ranking: 41 })).toEqual([undefined, '41']);
    expect(after({ score: null, ranking: null })).toEqual(['–', undefined]);
    expect(nowOf({ computed, now: null }, 'score')).toBeUndefined();
  });

  it('have their prior explained where it counts as another number', () => {
    expect([priorText('A*', 56), priorText('104', 104), priorText(null, null)]).toEqual([
      'A*, which counts as 56',
      '104',
      'no prior score',
    ]);
  });
});

describe('what waits for a teacher', () => {
  const of = (status: Status, entered: number, out = 0) => ({
    status,
    students: 30,
    tests: [
      { entered: 30, out: 0 },
      { entered, out },
    ],
  });
  const waits = (status: Status, entered = 30, out = 0) => awaitedOf({ teacherInput: true }, of(status, entered, out), true);

  it('are totals until the ranking, but not of who is absent or exempt, and then the two checks', () => {
    expect([waits(0, 0), waits(1, 28), waits(1, 28, 2), waits(1)]).toEqual(['totals', 'totals', undefined, undefined]);
    expect(([2, 3, 4, 5, 6] as const).map((status) => waits(status, 28))).toEqual(['check', undefined, 'check', undefined, undefined]);
  });

  it('is nothing where teachers do not check, nor for who may not write', () => {
    expect(awaitedOf({ teacherInput: false }, of(2, 30), true)).toBeUndefined();
    expect(awaitedOf({ teacherInput: true }, of(2, 30), false)).toBeUndefined();
  });
});

describe('what to look at before the students are ranked', () => {
  const ann = { studentId: 'ann', name: 'Adams, Ann', admissionNo: '1' };
  const nothing = { warnings: [], changes: null, voids: [], decisions: { gone: [], kept: [] }, same: false };
  const shown = (change: object) =>
    notices({ ...nothing, ...change } as never).map(({ tone, title, texts, totals }) => [tone, title, texts ?? totals?.length]);

  it('is what is open about totals first, then what the ranking rests on and what would go with the one that stands', () => {
    expect(shown({})).toEqual([]);
    expect(
      shown({
        warnings: [
          { about: 'sat-few', ...ann, sat: 1, of: 3 },
          { about: 'contested', ...ann, testId: 'mock', test: 'Mock' },
        ],
        changes: { scores: 2, rankings: 1, joined: 0, left: [] },
        voids: [{ setId: 'x', name: '11X1' }],
        decisions: { gone: [{ ...ann, ranking: 3, score: 50, exempt: false }], kept: [] },
      }),
    ).toEqual([
      ['warn', '1 total is contested. Decide or correct them before you rank', 1],
      ['warn', 'Look at this before you rank', ['Adams, Ann sat 1 of 3.']],
      ['plain', '2 students would have another score, 1 another ranking.', undefined],
      ['warn', 'Checks that would be void: 11X1. Their teachers have to check again.', undefined],
      ['warn', 'Decided by hand, and gone with the ranking that stands:', ['Adams, Ann: rank 3, score 50.00']],
    ]);
  });

  it('is that nothing would change, and no check would be void, where the ranking is the same', () => {
    const same = { same: true, changes: { scores: 0, rankings: 0, joined: 0, left: [] }, voids: [{ setId: 'x', name: '11X1' }] };
    expect(shown(same)).toEqual([['plain', 'Nothing would change: it is the ranking that stands.', undefined]]);
  });
});
