import { mayReadSubject, mayWriteSet } from '../actor.ts';
import { defineQuery } from '../common/query.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { SatOn } from './sets.contract.ts';
import { setsQueries } from './sets.contract.ts';

/** On which day a set sat an assessment: as somebody has said, else the day of its first mark. Teachers ask about their own classes. */
export const satOn = defineQuery({
  ...setsQueries['sat-on'],
  models: ['structure', 'roster', 'assessments', 'results'],
  async run(query, { setId, testId }, actor, about): Promise<SatOn> {
    const [row] = await query<Omit<SatOn, 'mayWrite'> & { readonly subjectId: string }>(DATES, [setId, testId], 'sat-on');
    if (!row || !mayReadSubject(actor, row.subjectId)) throw new ProblemError('not-found', 'There is no such class or assessment.');
    const { subjectId, ...dates } = row;
    about({ subjectId, testId });
    if (actor.role === 'teacher' && !actor.setIds.includes(setId))
      throw new ProblemError('not-your-set', 'You see the marks of your own classes only.');
    return { ...dates, mayWrite: mayWriteSet(actor, { setId, subjectId }) };
  },
});

/** $1 school; $2 set; $3 assessment. What was typed offline counts by when it was typed; what was undone does not count. */
const DATES = `
select s.subject_id as "subjectId", s.sat_on ->> $3::text as "satOn",
  (select to_json(min(coalesce(v.typed_at, v.at))) #>> '{}'
     from saves v
    where v.school_id = $1 and v.subject_id = s.subject_id and not v.undone and $3::uuid = any(v.test_ids)
      and v.student_ids && array(select e.student_id from enrolments e where e.school_id = $1 and e.set_id = s.set_id)) as "firstMark"
from sets s
join tests t on t.school_id = $1 and t.test_id = $3::uuid and t.subject_id = s.subject_id
where s.school_id = $1 and s.set_id = $2 and not s.deleted`;
