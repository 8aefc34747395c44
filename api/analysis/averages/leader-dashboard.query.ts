import { awayCounts } from '../../contract/attendance.ts';
import { inOrder } from '../../common/in-order.ts';
import { theRow } from '../../common/facts.ts';
import { defineCommonQuery } from '../../common/query.ts';
import { historicAverages, inPercent, meanOf, percentOf, setAverages } from '../averages.formula.ts';
import type { SatIn } from './days-of-students.facts.ts';
import { daysOfStudents } from './days-of-students.facts.ts';
import { byStudent, ifOpen, openTotals } from '../group.formula.ts';
import type { Places } from './historic.rules.ts';
import { datedTotals, PLACES } from './historic.rules.ts';
import type { Dashboard } from '../tests.contract.ts';
import { testQueries } from '../tests.contract.ts';
import type { Result } from './totals.facts.ts';
import { resultsOf } from './totals.facts.ts';

/** Averages of a year group (contract: Dashboard): of each class by its present members, and of each school year by its members of then. */
export const leaderDashboard = defineCommonQuery({
  ...testQueries['leader-dashboard'],
  models: ['structure', 'roster', 'assessments', 'results'],
  async read(query, { yearGroupId }, { subjectId }): Promise<Dashboard> {
    const head = theRow(await query<Head>(HEAD, [yearGroupId]));
    const { year, sets, tests } = head;
    const testIds = tests.map(({ testId }) => testId);
    const [results, days] = [await resultsOf(query, testIds), await daysOfStudents(query, subjectId, testIds)];
    return {
      yearGroupId,
      year,
      subjectId,
      sets: sets.map(({ students, setId, name }) => ({ setId, name, students: students.length })),
      tests: tests
        .map((one) => testOf(one, head, results.get(one.testId) ?? [], days.get(one.testId) ?? new Map()))
        .toSorted((a, b) => (a.day === b.day ? 0 : (a.day ?? '') < (b.day ?? '') ? 1 : -1)),
    };
  },
});

type Head = Places & {
  readonly year: number;
  readonly sets: readonly { readonly setId: string; readonly name: string; readonly students: readonly string[] }[];
  /** By name. */
  readonly tests: readonly { readonly testId: string; readonly name: string; readonly max: number | null }[];
};
type Test = Dashboard['tests'][number];

const testOf = (test: Head['tests'][number], head: Head, results: readonly Result[], days: ReadonlyMap<string, SatIn>): Test => {
  const { sets } = head;
  const resultOf = byStudent(results);
  const ofSets = new Map(sets.map(({ setId, students }) => [setId, students.flatMap((studentId) => resultOf.get(studentId) ?? [])]));
  const present = [...ofSets.values()].flat();
  const totals = totalsOf(present);
  const mean = meanOf(totals);
  const max = test.max ?? 0;
  const daysOfYear = present.flatMap(({ studentId, total }) => (total === null ? [] : (days.get(studentId)?.day ?? [])));
  return {
    ...test,
    day: daysOfYear.length === 0 ? null : daysOfYear.reduce((a, b) => (a > b ? a : b)),
    all: mean === null || max === 0 ? null : { n: totals.length, mean: percentOf(mean, max) ?? 0, ...ifOpen(openTotals(present)) },
    averages: max === 0 ? [] : averagesOf(sets, ofSets, max),
    ...historicOf(results, days, head, max),
  };
};

const totalsOf = (results: readonly Result[]): readonly number[] => results.flatMap(({ total }) => total ?? []);

const averagesOf = (sets: Head['sets'], ofSets: ReadonlyMap<string, readonly Result[]>, max: number): Test['averages'] => {
  const averages = setAverages(new Map([...ofSets].map(([setId, results]) => [setId, totalsOf(results)])));
  return sets.flatMap(({ setId, students }) => {
    const average = averages.get(setId);
    if (!average) return [];
    const results = ofSets.get(setId) ?? [];
    const away = awayCounts(results);
    return [
      {
        setId,
        ...inPercent(average, max),
        leftOut: { ...away, noTotal: students.length - average.n - away.absent - away.exempt },
        ...ifOpen(openTotals(results)),
      },
    ];
  });
};

const historicOf = (
  results: readonly Result[],
  days: ReadonlyMap<string, SatIn>,
  head: Head,
  max: number,
): Pick<Test, 'historic' | 'undated'> => {
  const { dated, undated } = datedTotals(results, days, head);
  if (max === 0) return { historic: [], undated };
  return {
    historic: historicAverages(
      dated.flatMap(({ total, day }) => (total === null ? [] : [{ total, day }])),
      max,
    ).map((average) => ({
      ...average,
      ...ifOpen(openTotals(dated.flatMap(({ schoolYear, result }) => (schoolYear === average.schoolYear ? [result] : [])))),
    })),
    undated,
  };
};

/** $1 school; $2 year group. */
const HEAD = `
with classes as materialized (
  select s.set_id, s.name, s.test_ids from sets s where s.school_id = $1 and s.year_group_id = $2 and not s.deleted
),
on_roll as materialized (
  select e.set_id, e.student_id from classes c join enrolments e on e.school_id = $1 and e.set_id = c.set_id
)
select y.year,
  (select coalesce(json_agg(json_build_object('setId', c.set_id, 'name', c.name,
                     'students', to_json(array(select o.student_id from on_roll o where o.set_id = c.set_id order by o.student_id)))
                   order by ${inOrder('c.name')}, c.set_id), '[]')
     from classes c) as sets,${PLACES},
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'max', t.max) order by ${inOrder('t.name')}, t.test_id), '[]')
     from tests t
    where t.school_id = $1 and t.subject_id = y.subject_id
      and (t.test_id in (select unnest(c.test_ids) from classes c)
        or exists (select from markbook m
                    where m.school_id = $1 and m.test_id = t.test_id and m.student_id = any(array(select o.student_id from on_roll o))))) as tests
from year_groups y
where y.school_id = $1 and y.year_group_id = $2`;
