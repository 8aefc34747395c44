import { inOrder } from '../../common/in-order.ts';
import { refusedTurn } from '../undo.rules.ts';
import type { RecentUploads } from './uploads.contract.ts';
import type { Elsewhere } from '../undo.facts.ts';
import { elsewhere } from '../undo.facts.ts';
import { ProblemError } from '../../common/problems.ts';
import { defineQuery } from '../../common/query.ts';
import { uploadsQueries } from './uploads.contract.ts';

type Upload = RecentUploads['uploads'][number];
type Read = Omit<Upload, 'mayUndo' | 'whyNot' | 'sets'> & {
  accountId: string;
  /** Where its students are now, which rights go by, beside what their class was called when it was uploaded. */
  sets: { setId: string | null; name: string | null }[];
  elsewhere: readonly Elsewhere[];
};

/** The newest uploads in a subject, or of one class; teachers see their own, and those that touch their sets. */
export const uploads = defineQuery({
  ...uploadsQueries.uploads,
  models: ['structure', 'roster', 'assessments', 'results', 'accounts'],
  live: { results: ({ subjectId }) => `marks:${subjectId}/uploads` },
  async run(query, { subjectId, setId = null, before = null }, actor): Promise<RecentUploads> {
    if (before !== null && (await query(BEFORE, [subjectId, before])).length === 0)
      throw new ProblemError('not-found', 'There is no such upload.');
    const isTeacher = actor.role === 'teacher';
    const rows = await query<Read>(UPLOADS, [subjectId, isTeacher, actor.accountId, actor.setIds, setId, before]);
    const shown = rows.slice(0, PAGE).map(({ accountId, sets, elsewhere: students, ...upload }) => {
      // The same rule as in UndoCommand: undoing requires the right to write.
      const refused = refusedTurn(
        { subjectId, accountId, setIds: sets.map((set) => set.setId), elsewhere: students },
        actor,
        upload.undone ? 'redo' : 'undo',
      );
      return {
        ...upload,
        sets: [...new Set(sets.flatMap(({ name }) => name ?? []))],
        mayUndo: refused === undefined,
        whyNot: isTeacher && accountId === actor.accountId ? (refused?.title ?? null) : null,
      };
    });
    return { uploads: shown, next: rows.length > PAGE ? (shown.at(-1)?.commandId ?? null) : null };
  },
});

const PAGE = 50;

const BEFORE = `select from saves where school_id = $1 and subject_id = $2 and command_id = $3`;

/**
 * SQL: the set of the enrolment `e` at the time of the upload `v`, which is a moment, not a day as in `setOn`: before the first set, the first.
 * Null: off roll.
 * Most students have only ever been in one.
 */
const SET_THEN = `
  case when json_array_length(e.memberships) = 1 then e.set_id
       else (select (m.place ->> 'setId')::uuid
               from json_array_elements(e.memberships) with ordinality m (place, nth)
              where (m.place ->> 'from')::timestamptz <= v.at or m.nth = 1
              order by m.nth desc limit 1) end`;

const UPLOADS = `
select v.entry_id as "entryId", v.command_id as "commandId", v.kind, v.file_name as "fileName", v.cells, v.confirmed,
  cardinality(v.student_ids) as students, to_json(v.at) #>> '{}' as at, v.sat_on::text as "satOn", a.name as by, v.undone, v.account_id as "accountId",
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name) order by ${inOrder('t.name')}), '[]')
     from tests t where t.school_id = $1 and t.test_id = any(v.test_ids)) as tests,
  (select coalesce(json_agg(json_build_object('setId', x.set_id, 'name', x.name) order by ${inOrder('x.name')}), '[]')
     from (select distinct e.set_id, s.name
           from unnest(v.student_ids) as one (student_id)
           left join enrolments e on e.school_id = $1 and e.subject_id = $2 and e.student_id = one.student_id
           left join sets s on s.school_id = $1 and s.set_id = ${SET_THEN}) x) as sets,
  case when $3 and v.account_id = $4 then ${elsewhere('$5')} else '[]' end as elsewhere
from saves v
left join accounts a on a.school_id = $1 and a.account_id = v.account_id
where v.school_id = $1 and v.subject_id = $2 and v.kind in ('totals', 'marks')
  and (not $3 or v.account_id = $4 or exists (
    select from enrolments e where e.school_id = $1 and e.set_id = any($5::uuid[]) and e.student_id = any(v.student_ids)))
  and ($6::uuid is null or exists (
    select from enrolments e where e.school_id = $1 and e.subject_id = $2 and e.set_id = $6 and e.student_id = any(v.student_ids)))
  and ($7::uuid is null or v.position < (
    select position from saves where school_id = $1 and subject_id = $2 and command_id = $7))
order by v.position desc
limit ${PAGE + 1}`;
