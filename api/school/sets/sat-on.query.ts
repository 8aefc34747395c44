import type { StoredCell } from '../../../events/marks/cell-text.ts';
import { mayWriteSet } from '../../actor.ts';
import type { RunSql } from '../../common/facts.ts';
import { theRow } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { paperOf, STAFF_TOTAL } from '../../marks/staff-total.facts.ts';
import type { DatedUpload } from './sat-on.rules.ts';
import { standsBy, uploadOf } from './sat-on.rules.ts';
import type { SatOn } from './sets.contract.ts';
import { setsQueries } from './sets.contract.ts';

/**
 * On which day a set sat an assessment: as somebody has said for the set, else as was said with the upload whose totals count, else the day
 * of its first mark.
 */
export const satOn = defineQuery({
  ...setsQueries['sat-on'],
  models: ['structure', 'roster', 'assessments', 'results', 'accounts'],
  marks: 'assessment',
  async run(query, { setId, testId }, actor, { subjectId }): Promise<SatOn> {
    const { uploads, ...dates } = theRow(await query<Read>(DATES, [setId, testId]));
    return { ...dates, upload: await saidWith(query, uploads ?? [], setId, testId), mayWrite: mayWriteSet(actor, { setId, subjectId }) };
  },
});

type Read = Omit<SatOn, 'mayWrite' | 'upload'> & { readonly uploads: readonly DatedUpload[] | null };
type Result = { readonly counts: boolean; readonly cells: readonly StoredCell[] };

/** Few uploads carry a date: only for those are the set's cells read. */
const saidWith = async (query: RunSql, uploads: readonly DatedUpload[], setId: string, testId: string): Promise<SatOn['upload']> => {
  if (uploads.length === 0) return null;
  const results = await query<Result>(RESULTS, [setId, testId]);
  const upload = uploadOf(
    uploads,
    results.map(({ counts, cells }) => ({ counts, upload: standsBy(uploads, cells) })),
  );
  return upload ? { satOn: upload.satOn, fileName: upload.fileName, by: upload.by } : null;
};

/** $1 school; $2 set; $3 assessment. What was typed offline counts by when it was typed; what was undone does not count. */
const DATES = `
with said as materialized (
  select v.command_id, v.position, v.sat_on, v.file_name, v.account_id, coalesce(v.typed_at, v.at) as entered
  from sets s
  join saves v on v.school_id = $1 and v.subject_id = s.subject_id and not v.undone and $3::uuid = any(v.test_ids)
   and v.student_ids && array(select e.student_id from enrolments e where e.school_id = $1 and e.set_id = s.set_id)
  where s.school_id = $1 and s.set_id = $2
)
select s.sat_on ->> $3::text as "satOn",
  (select to_json(min(v.entered)) #>> '{}' from said v) as "firstMark",
  (select json_agg(json_build_object('commandId', v.command_id, 'satOn', v.sat_on, 'fileName', v.file_name, 'by', a.name) order by v.position)
     from said v left join accounts a on a.school_id = $1 and a.account_id = v.account_id
    where v.sat_on is not null) as uploads
from sets s
where s.school_id = $1 and s.set_id = $2`;

/** The same. The totals of the set's students; the marks of those who have none. */
const RESULTS = `
select ${STAFF_TOTAL} is not null as counts, json_agg(r.cell) as cells
from enrolments e
join markbook m on m.school_id = $1 and m.test_id = $3 and m.student_id = e.student_id
${paperOf('m.test_id')}
join results r on r.school_id = $1 and r.test_id = $3 and r.student_id = e.student_id and r.mark is not null
where e.school_id = $1 and e.set_id = $2
  and case when m.total is not null then r.kind = 't' else r.kind = 'm' and r.item_id = any(paper.question_ids) end
group by r.student_id, counts`;
