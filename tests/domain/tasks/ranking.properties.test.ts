import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundariesOf, gradeOf, lastRanks } from '../../../api/tasks/grades/grades.contract.ts';
import type { RankedStudent, RankedTest } from '../../../api/tasks/ranking/ranking.formula.ts';
import { rank, ranksOf, scoreBy } from '../../../api/tasks/ranking/ranking.formula.ts';

/** A cohort with its marks: some without a prior, some absent from a test, tests of any maximum. */
type Cohort = { readonly students: readonly RankedStudent[]; readonly tests: readonly RankedTest[] };

const prior = fc.option(fc.oneof(fc.constantFrom(0, 8, 16, 24, 32, 40, 48, 56), fc.integer({ min: 60, max: 140 })), { freq: 8 });
const cohortOf = ({ full = false, same = false }: { full?: boolean; same?: boolean } = {}): fc.Arbitrary<Cohort> =>
  fc
    .tuple(fc.integer({ min: 1, max: 25 }), fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 5 }))
    .chain(([size, maxima]) =>
      fc.record({
        priors: fc.array(full ? prior.map((points) => points ?? 32) : prior, { minLength: size, maxLength: size }),
        marks: fc.tuple(
          ...maxima.map((max) =>
            fc.array(same ? fc.integer({ min: 0, max }) : fc.option(fc.integer({ min: 0, max }), { freq: 4 }), {
              minLength: size,
              maxLength: size,
            }),
          ),
        ),
        maxima: fc.constant(maxima),
      }),
    )
    .map(({ priors, marks, maxima }) => ({
      students: priors.map((points, at) => ({ studentId: `student ${String(at).padStart(2, '0')}`, prior: points })),
      tests: maxima.map((max, test) => ({
        testId: `test ${test}`,
        max,
        totals: new Map(
          (marks[test] ?? []).flatMap((mark, at) => (mark === null ? [] : [[`student ${String(at).padStart(2, '0')}`, mark] as const])),
        ),
      })),
    }));
const cohort = cohortOf();
const runs = { numRuns: 500 };
const ranked = ({ students, tests }: Cohort) => rank(students, tests);
const scores = (all: Cohort): ReadonlyMap<string, number | null> =>
  new Map(ranked(all).rows.map(({ studentId, score }) => [studentId, score]));
const totalsOf = ({ tests }: Cohort, studentId: string): Map<string, number> =>
  new Map(tests.flatMap(({ testId, totals }) => (totals.has(studentId) ? [[testId, totals.get(studentId) ?? 0] as const] : [])));
/** The same cohort with one mark raised, if there is one that can be. */
const raised = (all: Cohort, seed: number): { readonly cohort: Cohort; readonly studentId: string } | undefined => {
  const open = all.tests.flatMap(({ testId, max, totals }) =>
    [...totals].flatMap(([studentId, mark]) => (mark < max ? [{ testId, studentId, mark, max }] : [])),
  );
  const one = open[seed % Math.max(1, open.length)];
  if (!one) return undefined;
  const to = one.mark + 1 + (seed % (one.max - one.mark));
  const tests = all.tests.map((test) =>
    test.testId === one.testId ? { ...test, totals: new Map(test.totals).set(one.studentId, to) } : test,
  );
  return { cohort: { ...all, tests }, studentId: one.studentId };
};

test('the order of students and of tests is irrelevant, to the last byte', () => {
  fc.assert(
    fc.property(
      cohort.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all.students], { minLength: all.students.length }),
          fc.shuffledSubarray([...all.tests], { minLength: all.tests.length }),
        ),
      ),
      ([all, students, tests]) => {
        const mixed = tests.map((test) => ({ ...test, totals: new Map([...test.totals].toReversed()) }));
        expect(JSON.stringify(rank(students, mixed))).toBe(JSON.stringify(ranked(all)));
      },
    ),
    runs,
  );
});

test('marks and maxima times k change nothing', () => {
  fc.assert(
    fc.property(cohort, fc.integer({ min: 2, max: 9 }), (all, k) => {
      const tests = all.tests.map((test) => ({
        ...test,
        max: test.max * k,
        totals: new Map([...test.totals].map(([studentId, mark]) => [studentId, mark * k])),
      }));
      expect(ranked({ ...all, tests }).rows).toEqual(ranked(all).rows);
    }),
    runs,
  );
});

test('priors times a plus b change no score beyond 0.01', () => {
  fc.assert(
    fc.property(cohort, fc.integer({ min: 1, max: 40 }), fc.integer({ min: -50, max: 50 }), (all, tenths, b) => {
      const students = all.students.map((student) => ({
        ...student,
        prior: student.prior === null ? null : (student.prior * tenths) / 10 + b,
      }));
      const before = scores(all);
      for (const [studentId, score] of scores({ ...all, students }))
        expect(Math.abs((score ?? 0) - (before.get(studentId) ?? 0))).toBeLessThanOrEqual(0.0101);
    }),
    runs,
  );
});

test('if everybody sat the same tests, a student’s own prior changes no score', () => {
  fc.assert(
    fc.property(cohortOf({ same: true }), fc.nat(), fc.integer({ min: 0, max: 140 }), (all, at, points) => {
      const students = all.students.map((student, index) => (index === at % all.students.length ? { ...student, prior: points } : student));
      expect(scores({ ...all, students })).toEqual(scores(all));
    }),
    runs,
  );
});

test('raising a student’s mark never lowers that student’s score', () => {
  fc.assert(
    fc.property(cohort, fc.nat(), (all, seed) => {
      const change = raised(all, seed);
      if (change) expect(scores(change.cohort).get(change.studentId)).toBeGreaterThanOrEqual(scores(all).get(change.studentId) ?? 0);
    }),
    { numRuns: 2000 },
  );
});

test('under frozen norms, raising a mark never worsens one’s rank, and moves nobody else’s score', () => {
  fc.assert(
    fc.property(cohort, fc.nat(), (all, seed) => {
      const change = raised(all, seed);
      if (!change) return;
      const { norms, rows } = ranked(all);
      const now = rows.map(({ studentId }) => ({ studentId, score: scoreBy(norms, totalsOf(change.cohort, studentId)) }));
      for (const [index, { studentId, score }] of now.entries()) if (studentId !== change.studentId) expect(score).toBe(rows[index]?.score);
      const before = rows.find(({ studentId }) => studentId === change.studentId)?.ranking ?? 0;
      expect(ranksOf(now).get(change.studentId)).toBeLessThanOrEqual(before);
    }),
    runs,
  );
});

test('without a correction, the frozen norms give the score that was stored', () => {
  fc.assert(
    fc.property(cohort, (all) => {
      const { norms, rows } = ranked(all);
      for (const { studentId, score } of rows) expect(scoreBy(norms, totalsOf(all, studentId))).toBe(score);
    }),
    runs,
  );
});

test('one test ranks in the order of its marks', () => {
  fc.assert(
    fc.property(cohort, ({ students, tests }) => {
      const [only] = tests;
      if (!only) return;
      const { rows, norms } = rank(students, [only]);
      const order = new Map(rows.map(({ studentId, ranking }) => [studentId, ranking ?? Infinity]));
      const isNear = (one: number, other: number): boolean =>
        Math.abs(one - other) < 0.05 * (norms.tests[0]?.sd ?? 0) || clippedBoth(one, other);
      const clippedBoth = (one: number, other: number): boolean =>
        [one, other].every((percent) => Math.abs(percent - (norms.tests[0]?.mean ?? 0)) >= 2.99 * (norms.tests[0]?.sd ?? 0));
      for (const [one, mark] of only.totals)
        for (const [other, less] of only.totals) {
          if (mark === less) expect(order.get(one)).toBe(order.get(other));
          else if (mark > less) {
            expect(order.get(one)).toBeLessThanOrEqual(order.get(other) ?? 0);
            if (!isNear((100 * mark) / only.max, (100 * less) / only.max)) expect(order.get(one)).toBeLessThan(order.get(other) ?? 0);
          }
        }
    }),
    { numRuns: 200 },
  );
});

test('if all have the same marks, everybody has 50.00 and rank 1', () => {
  fc.assert(
    fc.property(cohortOf({ same: true }), fc.nat(), ({ students, tests }, mark) => {
      const same = tests.map((test) => ({ ...test, totals: new Map(students.map(({ studentId }) => [studentId, mark % (test.max + 1)])) }));
      for (const { score, ranking } of rank(students, same).rows) expect([score, ranking]).toEqual([50, 1]);
    }),
    runs,
  );
});

test('a score is within 0.01 and 166.67', () => {
  fc.assert(
    fc.property(cohort, (all) => {
      for (const score of scores(all).values()) {
        if (score === null) continue;
        expect(score).toBeGreaterThanOrEqual(0.01);
        expect(score).toBeLessThanOrEqual(166.67);
        expect(Math.round(score * 100) / 100).toBe(score);
      }
    }),
    runs,
  );
});

test('with a prior for everybody who is ranked and no ties, residuals sum to 0', () => {
  fc.assert(
    fc.property(cohortOf({ full: true }), (all) => {
      const students = all.students.map((student, index) => ({ ...student, prior: (index * 37) % 101 }));
      const rows = ranked({ ...all, students }).rows.filter(({ score }) => score !== null);
      if (new Set(rows.map(({ score }) => score)).size < rows.length) return;
      expect(rows.reduce((all_, { residual }) => all_ + (residual ?? 0), 0)).toBe(0);
    }),
    runs,
  );
});

const shares = fc
  .array(fc.integer({ min: 1, max: 99 }), { maxLength: 9 })
  .map((cuts) => [...new Set([...cuts, 100])].sort((a, b) => a - b))
  .map((cuts) => cuts.map((cut, index) => ({ label: `grade ${index}`, percent: cut - (cuts[index - 1] ?? 0) })));

test('boundaries of grades never decrease, end at the number of students, and are within 1 of their quota', () => {
  fc.assert(
    fc.property(shares, fc.integer({ min: 0, max: 3000 }), (profile, students) => {
      const last = lastRanks(profile, students);
      let cumulative = 0;
      for (const [index, rank_] of last.entries()) {
        cumulative += profile[index]?.percent ?? 0;
        expect(rank_).toBeGreaterThanOrEqual(last[index - 1] ?? 0);
        // In integers: 0 <= 100 * rank - students * cumulative percentage < 100.
        expect(100 * rank_ - students * cumulative).toBeGreaterThanOrEqual(0);
        expect(100 * rank_ - students * cumulative).toBeLessThan(100);
      }
      expect(last.at(-1)).toBe(students);
    }),
    runs,
  );
});

test('every rank has a grade, ties share the better one, and a better rank never has a worse grade', () => {
  fc.assert(
    fc.property(shares, cohort, (profile, all) => {
      const placed = ranked(all).rows.flatMap(({ ranking, score }) => (ranking === null ? [] : [{ ranking, score }]));
      const place = (ranking: number) => profile.findIndex(({ label }) => label === gradeOf(profile, placed.length, ranking));
      for (const one of placed) {
        expect(place(one.ranking)).toBeGreaterThanOrEqual(0);
        for (const other of placed) if (one.ranking <= other.ranking) expect(place(one.ranking)).toBeLessThanOrEqual(place(other.ranking));
      }
      expect(boundariesOf(profile, placed).reduce((sum, { students }) => sum + students, 0)).toBe(placed.length);
    }),
    runs,
  );
});

test('a missing test is not a zero', () => {
  fc.assert(
    fc.property(cohort, (all) => {
      const { norms } = ranked(all);
      for (const { studentId } of all.students) {
        const totals = totalsOf(all, studentId);
        const [missing] = all.tests.filter(({ testId }) => !totals.has(testId));
        const test_ = norms.tests.find(({ testId }) => testId === missing?.testId);
        if (!missing || totals.size === 0 || !test_?.sd) continue;
        const before = scoreBy(norms, totals);
        const only = scoreBy({ ...norms, tests: norms.tests.filter(({ testId }) => testId !== missing.testId) }, totals);
        expect(before).toBe(only);
      }
    }),
    runs,
  );
});

test('replay gives equal bytes', () => {
  fc.assert(
    fc.property(cohort, (all) => {
      const stored = JSON.stringify(ranked(all));
      const again = JSON.parse(
        JSON.stringify({ students: all.students, tests: all.tests.map((test) => ({ ...test, totals: [...test.totals] })) }),
      ) as {
        students: RankedStudent[];
        tests: { testId: string; max: number; totals: [string, number][] }[];
      };
      expect(
        JSON.stringify(
          rank(
            again.students,
            again.tests.map((test) => ({ ...test, totals: new Map(test.totals) })),
          ),
        ),
      ).toBe(stored);
    }),
    runs,
  );
});
