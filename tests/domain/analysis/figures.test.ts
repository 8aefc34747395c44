import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  againstClass,
  gradeGraph,
  historicAverages,
  inPercent,
  percentileRank,
  schoolYearOf,
  setAverages,
  standardised,
} from '../../../api/analysis/averages.formula.ts';
import { datedTotals } from '../../../api/analysis/averages/historic.rules.ts';
import type { MarksRow } from '../../../api/analysis/items.formula.ts';
import { reliabilityOf, testFigures } from '../../../api/analysis/items.formula.ts';
import { residualsByLine } from '../../../api/analysis/residual.formula.ts';
import { ownTargetsOf, targetsOf } from '../../../api/analysis/targets.formula.ts';
import { bearingOn, DEFAULT_THRESHOLDS, ragOf, topicValue } from '../../../api/analysis/topics.formula.ts';

describe('item analysis', () => {
  const { rows, maxima } = exam();
  const whole = testFigures(rows, maxima);
  const rounded = (value: number | null | undefined): number => Number((value ?? Number.NaN).toFixed(4));

  test('the figures of the real examination are those of R', () => {
    expect([whole.n, whole.k, whole.evidence]).toEqual([729, 13, 'fair']);
    expect(whole.mean).toBeCloseTo(16.93416, 5);
    expect(whole.sd).toBeCloseTo(4.284338, 6);
    expect(whole.alpha).toBeCloseTo(0.6143163, 7);
    expect(whole.sem).toBeCloseTo(2.660721, 6);
    expect(whole.questions.map((one) => rounded(one?.facility))).toEqual([
      0.642, 0.8059, 0.8368, 0.6392, 0.7922, 0.7675, 0.2517, 0.7311, 0.4691, 0.4739, 0.8381, 0.7435, 0.476,
    ]);
    expect(whole.questions.map((one) => rounded(one?.discrimination))).toEqual([
      0.194, 0.1958, 0.2873, 0.234, 0.2268, 0.2867, 0.1698, 0.3442, 0.2801, 0.3003, 0.2866, 0.3314, 0.2216,
    ]);
  });

  test('alpha if deleted is the alpha of the test without the question', () => {
    for (const place of [0, 6, 12]) {
      const without = testFigures(
        rows.map((row) => row.toSpliced(place, 1)),
        maxima.toSpliced(place, 1),
      );
      expect(whole.questions[place]?.alphaIfDeleted).toBeCloseTo(without.alpha ?? Number.NaN, 12);
    }
  });

  test('a question left out counts 0; one without any mark in the group has no figure and is no part of the test', () => {
    const some = Array.from({ length: 10 }, (_, n): MarksRow => [n % 3, n === 0 ? null : 2, null]);
    const figures = testFigures(some, [2, 2, 5]);
    expect([figures.n, figures.k, figures.questions[2]]).toEqual([10, 2, null]);
    expect(figures.questions[1]).toMatchObject({
      facility: 0.9,
      zero: 0.1,
      full: 0.9,
      distribution: [
        [0, 1],
        [2, 9],
      ],
    });
    expect(
      testFigures(
        some.map((row) => row.slice(0, 2)),
        [2, 2],
      ),
    ).toEqual({ ...figures, questions: figures.questions.slice(0, 2) });
  });

  test('small groups: nothing below ten, little below twenty', () => {
    const shown = [9, 10, 19, 20].map((n) => testFigures(rows.slice(0, n), maxima));
    expect(shown.map(({ evidence }) => evidence)).toEqual(['none', 'weak', 'weak', 'fair']);
    const [nine, ten] = shown;
    expect([nine?.alpha, nine?.sem, nine?.questions[0]?.discrimination, nine?.questions[0]?.alphaIfDeleted]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(nine?.questions[0]?.facility).toBeGreaterThan(0);
    expect(ten?.alpha).not.toBeNull();
  });

  test('nobody, one student, all marks equal, one question: no figure is NaN', () => {
    expect(testFigures([], [2, 3])).toMatchObject({ n: 0, k: 0, mean: null, sd: null, alpha: null, questions: [null, null] });
    expect(testFigures([[1, 2]], [2, 3])).toMatchObject({ n: 1, mean: 3, sd: null, alpha: null });
    const equal = testFigures(
      Array.from({ length: 30 }, (): MarksRow => [1, 2]),
      [2, 3],
    );
    expect([equal.sd, equal.alpha, equal.sem, equal.questions[0]?.discrimination]).toEqual([0, null, null, null]);
    const single = testFigures(
      rows.map(([first = null]) => [first]),
      [2],
    );
    expect([single.alpha, single.questions[0]?.discrimination, single.questions[0]?.alphaIfDeleted]).toEqual([null, null, null]);
  });

  const sheets = fc.integer({ min: 2, max: 6 }).chain((k) =>
    fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 5 }), { freq: 6 }), { minLength: k, maxLength: k }), {
      minLength: 1,
      maxLength: 30,
    }),
  );

  test('the order of students changes nothing, and marks times k change no ratio', () => {
    fc.assert(
      fc.property(sheets, fc.integer({ min: 2, max: 9 }), (sheet, times) => {
        const most = sheet[0]?.map(() => 5) ?? [];
        const figures = testFigures(sheet, most);
        expect(testFigures(sheet.toReversed(), most)).toEqual(figures);
        const scaled = testFigures(
          sheet.map((row) => row.map((mark) => (mark === null ? null : mark * times))),
          most.map((max) => max * times),
        );
        const close = (a: number | null | undefined, b: number | null | undefined): void =>
          typeof b === 'number' ? expect(a).toBeCloseTo(b, 9) : expect(a).toBe(b);
        close(scaled.alpha, figures.alpha);
        for (const [place, one] of figures.questions.entries()) {
          close(scaled.questions[place]?.facility, one?.facility);
          close(scaled.questions[place]?.discrimination, one?.discrimination);
          close(scaled.questions[place]?.zero, one?.zero);
        }
      }),
    );
  });

  test('shares and correlations stay in their ranges, and a distribution counts everybody', () => {
    fc.assert(
      fc.property(sheets, (sheet) => {
        for (const one of testFigures(sheet, sheet[0]?.map(() => 5) ?? []).questions) {
          if (!one) continue;
          expect(one.distribution.reduce((sum, [, students]) => sum + students, 0)).toBe(sheet.length);
          for (const share of [one.facility, one.zero, one.full]) expect(share >= 0 && share <= 1).toBe(true);
          if (one.discrimination !== null) expect(Math.abs(one.discrimination)).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  test('reliability of a topic: one question of twenty with alpha 0.85 has 0.22, all twenty have alpha again', () => {
    expect(reliabilityOf(0.85, 20, 1)).toBeCloseTo(0.2208, 4);
    expect(reliabilityOf(0.85, 20, 20)).toBeCloseTo(0.85, 12);
    expect(reliabilityOf(null, 20, 1)).toBeNull();
    expect(reliabilityOf(-0.3, 20, 1)).toBe(0);
  });
});

describe('strengths and weaknesses', () => {
  const of = (own: readonly number[], all: readonly number[]) =>
    own.map((sum, index) => ({
      questionId: `Q${index + 1}`,
      number: index + 1,
      max: 10,
      own: { sum, n: 10 },
      all: { sum: all[index] ?? 0, n: 20 },
    }));
  const named = (list: readonly { readonly questionId: string }[]) => list.map(({ questionId }) => questionId).join(' ');
  const example = of([90, 75, 50, 20, 0], [160, 160, 110, 20, 10]);

  test('by percentage, and by comparison with equal ones by number', () => {
    const percentage = targetsOf(example, 'percentage');
    expect([named(percentage.strengths), named(percentage.weaknesses)]).toEqual(['Q1 Q2 Q3 Q4', 'Q5']);
    const comparison = targetsOf(example, 'comparison');
    expect([named(comparison.strengths), named(comparison.weaknesses)]).toEqual(['Q1 Q4 Q2 Q3', 'Q5']);
    expect(comparison.strengths.map(({ difference }) => difference)).toEqual([0.1, 0.1, -0.05, -0.05]);
  });

  test('one question is a weakness; of four all are strengths; at 0 % nothing is one', () => {
    expect(targetsOf(example.slice(0, 1), 'percentage')).toMatchObject({ strengths: [], weaknesses: [{ questionId: 'Q1' }] });
    const four = targetsOf(example.slice(0, 4), 'percentage');
    expect([named(four.strengths), named(four.weaknesses)]).toEqual(['Q1 Q2 Q3 Q4', '']);
    const zero = targetsOf(of([90, 0, 0], [100, 100, 100]), 'percentage');
    expect([named(zero.strengths), named(zero.weaknesses)]).toEqual(['Q1', 'Q3 Q2']);
    expect(targetsOf([], 'comparison')).toEqual({ strengths: [], weaknesses: [] });
  });

  test('no question is both, and the order of the questions changes nothing', () => {
    const sums = fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 200 })), { maxLength: 12 });
    fc.assert(
      fc.property(sums, fc.constantFrom('percentage' as const, 'comparison' as const), (pairs, order) => {
        const questions = of(
          pairs.map(([own]) => own),
          pairs.map(([, all]) => all),
        );
        const found = targetsOf(questions, order);
        expect(targetsOf(questions.toReversed(), order)).toEqual(found);
        const ids = [...found.strengths, ...found.weaknesses].map(({ questionId }) => questionId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(found.strengths.every(({ ratio }) => ratio > 0)).toBe(true);
      }),
    );
  });

  test('a student has at most five of each, strengths above all students and targets below', () => {
    const questions = Array.from({ length: 14 }, (_, index) => ({
      questionId: `Q${index + 1}`,
      number: index + 1,
      max: 10,
      mark: index < 6 ? 9 : index < 12 ? 1 : 5,
      all: { sum: 100 + (index === 0 ? -10 : 0), n: 20 },
    }));
    const { strengths, targets } = ownTargetsOf(questions);
    expect([named(strengths), named(targets)]).toEqual(['Q1 Q2 Q3 Q4 Q5', 'Q12 Q11 Q10 Q9 Q8']);
    expect(strengths[0]?.difference).toBe(0.45);
  });

  test('who is above the average by less than shows has no strength; below it, by whatever, a target', () => {
    const asked = (mark: number, sum: number) => ({ questionId: 'Q1', number: 1, max: 3, mark, all: { sum, n: 300 } });
    const found = (sum: number) => Object.values(ownTargetsOf([asked(1, sum)])).map(({ length }) => length);
    expect([295, 296, 300, 304].map(found)).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 1],
    ]);
  });
});

describe('topics', () => {
  const tree = [
    { topicId: 'number', parentId: null },
    { topicId: 'fractions', parentId: 'number' },
    { topicId: 'adding', parentId: 'fractions' },
    { topicId: 'shape', parentId: null },
  ];
  const questions = [
    { questionId: 'q1', topicIds: ['adding', 'fractions'] },
    { questionId: 'q2', topicIds: ['number'] },
    { questionId: 'q3', topicIds: ['shape'] },
    { questionId: 'q4', topicIds: [] },
    { questionId: 'q5', topicIds: ['gone'] },
  ];

  test('a question bears on a topic by hand, or as or below one of its pre-requisites; once, however often', () => {
    const found = bearingOn(
      [{ schemeTopicId: 't', topicIds: ['fractions', 'number', 'gone'], questionIds: ['q1', 'q4'] }],
      tree,
      questions,
    );
    expect(found.get('t')).toEqual([
      { questionId: 'q1', byHand: true, through: ['fractions', 'number'], isOfTopic: true },
      { questionId: 'q2', byHand: false, through: ['number'], isOfTopic: false },
      { questionId: 'q4', byHand: true, through: [], isOfTopic: true },
    ]);
    const named = tree.map((topic) => ({ ...topic, name: topic.topicId }));
    const [own] =
      bearingOn([{ schemeTopicId: 't', topicIds: ['number'], questionIds: [], name: 'Number' }], named, questions).get('t') ?? [];
    expect(own).toMatchObject({ byHand: false, isOfTopic: true });
  });

  test('a circle of parents ends', () => {
    const circle = [
      { topicId: 'a', parentId: 'b' },
      { topicId: 'b', parentId: 'a' },
    ];
    expect(
      bearingOn([{ schemeTopicId: 't', topicIds: ['b'], questionIds: [] }], circle, [{ questionId: 'q', topicIds: ['a'] }]).get('t'),
    ).toHaveLength(1);
  });

  test('marks 2/3, 0/2 and 4/5 are 60 and amber; 70 is amber, 71 green; at or below Red it is red; nothing asked has no colour', () => {
    expect(topicValue({ marks: 6, available: 10 })).toBe(60);
    expect(topicValue({ marks: 2, available: 3 })).toBe(66);
    expect(topicValue({ marks: 0, available: 0 })).toBeNull();
    expect([null, 0, 40, 41, 60, 70, 71].map((value) => ragOf(value, DEFAULT_THRESHOLDS))).toEqual([
      null,
      'red',
      'red',
      'amber',
      'amber',
      'amber',
      'green',
    ]);
  });
});

describe('averages', () => {
  test('sets stand by their means in per cent, and nothing is claimed below ten students', () => {
    const spread = (mean: number, n: number): number[] => Array.from({ length: n }, (_, index) => mean + (index % 11) - 5);
    const found = setAverages(
      new Map([
        ['x1', spread(20, 30)],
        ['x2', spread(25, 30)],
        ['x3', spread(15, 30)],
        ['few', spread(20, 9)],
        ['none', []],
      ]),
    );
    expect([...found].map(([setId, { stands }]) => `${setId} ${stands}`)).toEqual(['x1 among', 'x2 higher', 'x3 lower', 'few few']);
    const x2 = found.get('x2');
    const percent = x2 && inPercent(x2, 40);
    expect(percent?.mean).toBeCloseTo(2.5 * (x2?.mean ?? 0), 9);
    expect(percent?.range?.to).toBeCloseTo(2.5 * (x2?.range?.to ?? 0), 9);
  });

  test('of the history of a year are those who were in it on the day, in whatever set they are now', () => {
    const since = '2020-09-01';
    const known = {
      year: 11,
      places: ['ten', 'eleven'].map((yearGroupId) => ({
        setId: `set ${yearGroupId}`,
        name: yearGroupId,
        yearGroups: [{ yearGroupId, from: since }],
      })),
      years: [
        { yearGroupId: 'ten', years: [{ year: 10, from: since }] },
        // Year 10 of before has become year 11.
        {
          yearGroupId: 'eleven',
          years: [
            { year: 10, from: since },
            { year: 11, from: '2025-09-01' },
          ],
        },
      ],
    };
    const sat: Readonly<Record<string, { day: string; setId: string | null }>> = {
      before: { day: '2025-08-31', setId: 'set eleven' },
      now: { day: '2025-09-01', setId: 'set eleven' },
      younger: { day: '2025-09-01', setId: 'set ten' },
      away: { day: '2025-09-01', setId: null },
    };
    const results = [...Object.keys(sat), 'no day'].map((studentId) => ({
      studentId,
      attendance: 'sat' as const,
      total: 5,
      flags: [],
    }));
    const { dated, undated } = datedTotals(results, new Map(Object.entries(sat)), known);
    expect([dated.map(({ result }) => result.studentId), undated]).toEqual([['now'], 2]);
  });

  test('a school year begins on 1 September', () => {
    expect(['2025-08-31', '2025-09-01', '2026-01-01'].map(schoolYearOf)).toEqual([2024, 2025, 2025]);
    expect(
      historicAverages(
        [
          { total: 20, day: '2026-02-01' },
          { total: 10, day: '2025-08-31' },
          { total: 30, day: '2025-09-01' },
        ],
        40,
      ),
    ).toEqual([
      { schoolYear: 2024, n: 1, mean: 25 },
      { schoolYear: 2025, n: 2, mean: 62.5 },
    ]);
  });

  test('percentile rank and standardised score of a cohort', () => {
    expect([10, 20, 30].map((one) => Number(percentileRank([10, 20, 20, 30], one).toFixed(2)))).toEqual([12.5, 50, 87.5]);
    expect([10, 20, 30].map((one) => standardised([10, 20, 30], one))).toEqual([82, 100, 118]);
    expect(standardised([5, 5], 5)).toBe(100);
    expect(standardised([...new Array<number>(99).fill(0), 100], 100)).toBe(140);
  });

  test('against the class: more than 15 apart', () => {
    expect([65, 65.1, 35, 34.9].map((own) => againstClass(own, 50))).toEqual(['in line', 'higher', 'in line', 'lower']);
    // 8 of 12, and a class of five with 31 marks: exactly 15 points, of which floats make a little more.
    expect(againstClass(800 / 12, 3100 / 60)).toBe('in line');
  });

  test('the grade graph counts totals of 90 to 110 %, both included, and nothing of fewer than five', () => {
    const earlier = [17, 18, 20, 20, 21, 22, 23].map((total) => ({ total, endScore: total < 21 ? '5' : '6', came: '1' }));
    expect([...(gradeGraph(20, earlier) ?? [])]).toEqual([
      ['5', 3],
      ['6', 2],
    ]);
    expect(gradeGraph(20, earlier.slice(0, 5))).toBeNull();
    // It grows by five or more.
    const later = (came: string, of: number) => Array.from({ length: of }, () => ({ total: 20, endScore: '4', came }));
    expect(gradeGraph(20, [...earlier, ...later('2', 3)])?.get('4')).toBeUndefined();
    expect(gradeGraph(20, [...earlier, ...later('2', 3), ...later('3', 2)])?.get('4')).toBe(5);
  });
});

describe('the residual of the regression', () => {
  const students = Array.from({ length: 12 }, (_, n) => ({
    studentId: `s${String(n).padStart(2, '0')}`,
    setId: n < 6 ? 'high' : 'low',
    prior: n % 6,
    score: 10 + 5 * (n % 6) + (n < 6 ? 3 : -3),
  }));

  test('is what the line leaves over, with an interval of the mean of each class', () => {
    const found = residualsByLine(students);
    expect([found?.line.n, found?.line.a, found?.line.b]).toEqual([12, expect.closeTo(10, 9), expect.closeTo(5, 9)]);
    expect(found?.line.sd).toBeCloseTo(Math.sqrt((12 * 9) / 10), 9);
    expect(found?.students.get('s00')).toBeCloseTo(3, 9);
    const high = found?.sets.get('high');
    const half = (1.96 * Math.sqrt(10.8)) / Math.sqrt(6);
    expect([high?.n, high?.mean, high?.from, high?.clear]).toEqual([6, expect.closeTo(3, 9), expect.closeTo(3 - half, 9), true]);
  });

  test('is undefined with fewer than ten students who have both, and where all priors are the same', () => {
    expect(residualsByLine([...students.slice(0, 9), { studentId: 'x', setId: 'low', prior: null, score: 5 }])).toBeUndefined();
    expect(residualsByLine(students.map((one) => ({ ...one, prior: 7 })))).toBeUndefined();
  });

  test('is exactly 0 for everybody where all scores are the same', () => {
    const flat = residualsByLine(students.map((one) => ({ ...one, score: 0.1 })));
    expect([flat?.line.b, flat?.line.sd, ...(flat?.students.values() ?? [])]).toEqual([0, 0, ...students.map(() => 0)]);
  });

  test('residuals add up to 0, whatever the order', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 166 })), { minLength: 10, maxLength: 40 });
    fc.assert(
      fc.property(pairs, (all) => {
        const given = all.map(([prior, score], index) => ({ studentId: `s${index}`, setId: 'x', prior, score }));
        const found = residualsByLine(given);
        expect(residualsByLine(given.toReversed())).toEqual(found && { ...found, sets: expect.anything() as unknown });
        if (found) expect([...found.students.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 6);
      }),
    );
  });
});

/** The real examination of tests/data/mathexam. */
function exam(): { readonly rows: readonly MarksRow[]; readonly maxima: readonly number[] } {
  const lines = (file: string): string[] => readFileSync(`tests/data/mathexam/${file}`, 'utf8').trim().split(/\r?\n/).slice(1);
  const maxima = lines('assessment_upload.csv').map((line) => Number(line.split(',').at(-1)));
  const rows = lines('results_upload.csv').map((line) => {
    const cells = line
      .replaceAll(/"[^"]*"/g, '')
      .split(',')
      .slice(2, 2 + maxima.length);
    return cells.map((cell) => (cell === '' ? null : Number(cell)));
  });
  return { rows, maxima };
}
