import { theRow } from '../../common/facts.ts';
import { inOrder } from '../../common/in-order.ts';
import { defineCommonQuery } from '../../common/query.ts';
import type { HistoricTotals } from '../tests.contract.ts';
import { testQueries } from '../tests.contract.ts';
import { daysOfStudents } from './days-of-students.facts.ts';
import type { Places } from './historic.rules.ts';
import { datedTotals, PLACES } from './historic.rules.ts';
import { resultsOf } from './totals.facts.ts';

/** The totals behind the mean of a school year (contract: HistoricTotals), by the same rule as that mean (leader-dashboard). */
export const historicTotals = defineCommonQuery({
  ...testQueries['historic-totals'],
  models: ['structure', 'roster', 'assessments', 'results'],
  async read(query, { yearGroupId, testId, schoolYear }, { subjectId }): Promise<HistoricTotals> {
    const head = theRow(await query<Head>(HEAD, [yearGroupId, testId]));
    const { max } = head;
    const [results, days] = [await resultsOf(query, [testId]), await daysOfStudents(query, subjectId, [testId])];
    const { dated } = datedTotals(results.get(testId) ?? [], days.get(testId) ?? new Map(), head);
    const theirs = dated.filter((one) => one.schoolYear === Number(schoolYear));
    const people = await query<Person>(PEOPLE, [theirs.map(({ result }) => result.studentId)]);
    const totalOf = new Map(theirs.map((one) => [one.result.studentId, one]));
    const names = new Map(head.places.map(({ setId, name }) => [setId, name]));
    return {
      testId,
      max,
      students: people.flatMap((student) => {
        const one = totalOf.get(student.studentId);
        if (!one) return [];
        const { total, day, setId, result } = one;
        return [{ ...student, set: names.get(setId) ?? '', day, total, ...(result.flags.length > 0 && { flags: result.flags }) }];
      }),
    };
  },
});

type Head = Places & { readonly year: number; readonly max: number | null };
type Person = Pick<HistoricTotals['students'][number], 'studentId' | 'name' | 'admissionNo'>;

/** $1 school; $2 year group; $3 assessment. */
const HEAD = `
select y.year, t.max,${PLACES}
from year_groups y
join tests t on t.school_id = $1 and t.test_id = $3 and t.subject_id = y.subject_id
where y.school_id = $1 and y.year_group_id = $2`;

/** $1 school; $2 students. By name. */
const PEOPLE = `
select p.student_id as "studentId", p.name, p.admission_no as "admissionNo" from students p
where p.school_id = $1 and p.student_id = any($2::uuid[])
order by ${inOrder('p.name')}, p.student_id`;
