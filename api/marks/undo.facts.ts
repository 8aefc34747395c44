import { shareOf, reading, withRedone } from '../../events/marks/cell.ts';
import type { StoredCell } from '../../events/marks/cell-text.ts';
import { decodeCell, textOfId } from '../../events/marks/cell-text.ts';
import type { RedoCommand, Turned, UndoCommand } from './marks.contract.ts';
import { OFF_ROLL_NAME } from '../students/off-roll.contract.ts';
import type { Facts, RunSql } from '../common/facts.ts';

/** The command to undo or redo: its author, and the current sets of its students. */
export type UndoFacts =
  | {
      readonly subjectId: string;
      readonly accountId: string;
      readonly cells: number;
      /** null: a student who is in no set of the subject now */
      readonly setIds: readonly (string | null)[];
      /** Of a teacher's own command: its students who are in none of that teacher's sets now. Of any other: nobody. */
      readonly elsewhere: readonly Elsewhere[];
      /** How many rankings there are of totals that it entered. */
      readonly rankings: number;
      /** What becomes of its values, and who entered the same. */
      readonly shares: Pick<Turned, 'own' | 'shared' | 'replaced' | 'alsoBy'>;
    }
  | undefined;

/** `name` null: forgotten. `place`: the student's set, Off-Roll, or null: no longer in the subject. */
export type Elsewhere = { readonly studentId: string; readonly name: string | null; readonly place: string | null };

export const undoFacts: Facts<UndoCommand | RedoCommand, UndoFacts> = {
  models: ['results', 'roster', 'structure', 'accounts', 'tasks'],
  waits: true,
  load: async (query, { entryId, commandId }, { role, accountId, setIds }) => {
    const [row] = await query<Omit<NonNullable<UndoFacts>, 'shares'>>(
      `select v.subject_id as "subjectId", v.account_id as "accountId", v.cells, ${RANKINGS} as rankings,
              (select coalesce(json_agg(distinct e.set_id), '[]')
                 from unnest(v.student_ids) as s (student_id)
                 left join enrolments e on e.school_id = $1 and e.subject_id = v.subject_id and e.student_id = s.student_id) as "setIds",
              case when $4 and v.account_id = $5 then ${elsewhere('$6')} else '[]' end as elsewhere
       from saves v join subjects b on b.school_id = $1 and b.subject_id = v.subject_id
      where v.school_id = $1 and v.command_id = $2 and v.entry_id = $3`,
      [commandId, entryId, role === 'teacher', accountId, setIds],
    );
    return row && { ...row, shares: await sharesOf(query, commandId, accountId) };
  },
};

/** SQL: how many tasks rank a student of the save `v` by a total of it. A question mark is none where a total was entered. */
const RANKINGS = `(
  select count(*)::int4
    from feedback_tasks k
   where k.school_id = $1 and k.subject_id = v.subject_id and not k.deleted and k.ranked_at is not null and exists (
     select from json_array_elements(k.ranking -> 'norms' -> 'tests') as n (test)
       join task_students s on s.school_id = $1 and s.task_id = k.task_id and s.student_id = any(v.student_ids)
      where (n.test ->> 'testId')::uuid = any(v.test_ids) and (v.kind <> 'marks' or not exists (
        select from results r
         where r.school_id = $1 and r.test_id = (n.test ->> 'testId')::uuid and r.student_id = s.student_id and r.kind = 't'
           and r.mark is not null))))`;

const sharesOf = async (query: RunSql, commandId: string, accountId: string) => {
  const [read] = await query<{ cells: readonly StoredCell[] | null }>(WRITTEN_CELLS, [commandId, textOfId(commandId)]);
  const counts = { own: 0, shared: 0, replaced: 0 };
  const others = new Set<string>();
  for (const stored of read?.cells ?? []) {
    const share = shareOf(decodeCell(stored), commandId);
    counts[share.share] += 1;
    if (share.share === 'shared') for (const { command } of share.changes) others.add(command);
  }
  const alsoBy = others.size === 0 ? [] : await query<Turned['alsoBy'][number]>(AUTHORS, [[...others], accountId]);
  return { ...counts, alsoBy };
};

/** Among all cells of the save's students in its tests, those that it wrote. */
const WRITTEN_CELLS = `
  select json_agg(r.cell) as cells
    from saves v
    cross join unnest(v.test_ids) as t (test_id)
    cross join unnest(v.student_ids) as s (student_id)
    cross join lateral (select * from results r
                         where r.school_id = $1 and r.test_id = t.test_id and r.student_id = s.student_id offset 0) r
   where v.school_id = $1 and v.command_id = $2 and strpos(r.cell::text, $3) > 0`;

/** Whoever may undo the command may read the history of its cells, with these names. */
const AUTHORS = `
  select distinct a.name, v.account_id = $3 as you
    from saves v left join accounts a on a.school_id = $1 and a.account_id = v.account_id
   where v.school_id = $1 and v.command_id = any($2::uuid[])
   order by you desc, a.name`;

/** SQL: of a save `v`, the students who are in none of these sets now, as JSON. */
export const elsewhere = (setIds: string): string => `(
  select coalesce(json_agg(json_build_object('studentId', one.student_id, 'name', p.name, 'place',
           case when e.state = 'set' and not s.deleted then s.name when e.state <> 'removed' then '${OFF_ROLL_NAME}' end) order by p.name), '[]')
    from unnest(v.student_ids) as one (student_id)
    left join students p on p.school_id = $1 and p.student_id = one.student_id
    left join enrolments e on e.school_id = $1 and e.subject_id = v.subject_id and e.student_id = one.student_id
    left join sets s on s.school_id = $1 and s.set_id = e.set_id
   where e.set_id is null or e.set_id <> all(${setIds}::uuid[]))`;

/** A mark that would count after a redo and is above the maximum of now. `number` null: the total. */
export type Misfit = {
  readonly studentId: string;
  readonly name: string;
  readonly number: number | null;
  readonly mark: number;
  readonly max: number;
};

type RedoFacts = (NonNullable<UndoFacts> & { readonly misfits: readonly Misfit[] }) | undefined;

/** What undoing needs to know, and which marks no longer fit. */
export const redoFacts: Facts<RedoCommand, RedoFacts> = {
  models: [...undoFacts.models, 'assessments'],
  waits: true,
  load: async (query, input, actor) => {
    const save = await undoFacts.load(query, input, actor);
    const cells = await query<Omit<Misfit, 'mark'> & { cell: StoredCell }>(MARKED_CELLS, [input.commandId, textOfId(input.commandId)]);
    const misfits = cells.flatMap(({ cell, ...place }) => {
      const before = decodeCell(cell);
      const after = withRedone(before, input.commandId);
      const now = reading(after);
      return after !== before && now.state !== 'empty' && typeof now.value === 'number' && now.value > place.max
        ? [{ ...place, mark: now.value }]
        : [];
    });
    return save && { ...save, misfits };
  },
};

/** The totals and marks that the save wrote, with the maximum of now; those of removed questions are left out. */
const MARKED_CELLS = `
  select r.student_id as "studentId", coalesce(p.name, 'A forgotten student') as name, q.number, r.cell,
         case r.kind when 't' then t.max else q.marks_available end as max
    from saves v
    cross join unnest(v.test_ids) as tested (test_id)
    cross join unnest(v.student_ids) as s (student_id)
    join tests t on t.school_id = $1 and t.test_id = tested.test_id
    cross join lateral (select * from results r
                         where r.school_id = $1 and r.test_id = t.test_id and r.student_id = s.student_id and r.kind <> 'a' offset 0) r
    left join questions q on q.school_id = $1 and q.question_id = r.item_id and not q.hidden
    left join students p on p.school_id = $1 and p.student_id = r.student_id
   where v.school_id = $1 and v.command_id = $2 and v.undone and strpos(r.cell::text, $3) > 0
     and case r.kind when 't' then t.max else q.marks_available end is not null
   order by p.name, q.number nulls first`;
