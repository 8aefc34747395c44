import { z } from 'zod';
import { inOrder } from '../../in-order.ts';
import { mayWriteSet } from '../../actor.ts';
import { id } from '../../contract/fields.ts';
import type { RecentUploads } from '../../contract/marks.ts';
import { question, requireSubject } from '../query.ts';

type Upload = RecentUploads['uploads'][number];
type Read = Omit<Upload, 'mayUndo' | 'sets'> & { accountId: string; sets: { setId: string | null; name: string | null }[] };

/** The newest 50 uploads in a subject; teachers see their own, and those that touch their sets. */
export const uploads = question({
  input: z.object({ subjectId: id }),
  models: ['structure', 'roster', 'assessments', 'results', 'accounts'],
  async run(query, { subjectId }, actor): Promise<RecentUploads> {
    await requireSubject(query, subjectId);
    const rows = await query<Read>(UPLOADS, [subjectId, actor.role === 'teacher', actor.accountId, actor.setIds]);
    return {
      uploads: rows.map(({ accountId, sets, ...upload }) => ({
        ...upload,
        sets: sets.flatMap(({ name }) => name ?? []),
        // The same rule as in UndoCommand: undoing requires the right to write.
        mayUndo:
          (actor.role !== 'teacher' || accountId === actor.accountId) &&
          sets.every(({ setId }) => mayWriteSet(actor, { setId: setId ?? '', subjectId })),
      })),
    };
  },
});

const UPLOADS = `
select v.entry_id as "entryId", v.command_id as "commandId", v.kind, v.file_name as "fileName", v.cells,
  cardinality(v.student_ids) as students, to_json(v.at) #>> '{}' as at, a.name as by, v.undone, v.account_id as "accountId",
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name) order by ${inOrder('t.name')}), '[]')
     from tests t where t.school_id = $1 and t.test_id = any(v.test_ids)) as tests,
  (select coalesce(json_agg(json_build_object('setId', x.set_id, 'name', x.name) order by ${inOrder('x.name')}), '[]')
     from (select distinct e.set_id, s.name
           from unnest(v.student_ids) as one (student_id)
           join enrolments e on e.school_id = $1 and e.subject_id = $2 and e.student_id = one.student_id
           left join sets s on s.school_id = $1 and s.set_id = e.set_id) x) as sets
from saves v
left join accounts a on a.school_id = $1 and a.account_id = v.account_id
where v.school_id = $1 and v.subject_id = $2 and v.kind in ('totals', 'marks')
  and (not $3 or v.account_id = $4 or exists (
    select from enrolments e where e.school_id = $1 and e.set_id = any($5::uuid[]) and e.student_id = any(v.student_ids)))
order by v.at desc
limit 50`;
