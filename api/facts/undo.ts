import type { UndoCommand } from '../contract/marks.ts';
import { OFF_ROLL_NAME } from '../contract/off-roll.ts';
import type { Facts } from './facts.ts';

/** The command to undo or redo: its author, and the current sets of its students. */
export type UndoFacts =
  | {
      readonly subjectId: string;
      readonly accountId: string;
      readonly cells: number;
      /** null: a student who is in no set of the subject now */
      readonly setIds: readonly (string | null)[];
      /** Of a teacher's own command: its students who are in none of his sets now. Of any other: nobody. */
      readonly elsewhere: readonly Elsewhere[];
    }
  | undefined;

/** `name` null: forgotten. `place`: the student's set, Off-Roll, or null: no longer in the subject. */
export type Elsewhere = { readonly studentId: string; readonly name: string | null; readonly place: string | null };

export const undoFacts: Facts<UndoCommand, UndoFacts> = {
  models: ['results', 'roster', 'structure'],
  waits: true,
  load: async (query, { entryId, commandId }, { role, accountId, setIds }) => {
    const [row] = await query<NonNullable<UndoFacts>>(
      `select v.subject_id as "subjectId", v.account_id as "accountId", v.cells,
              (select coalesce(json_agg(distinct e.set_id), '[]')
                 from unnest(v.student_ids) as s (student_id)
                 left join enrolments e on e.school_id = $1 and e.subject_id = v.subject_id and e.student_id = s.student_id) as "setIds",
              case when $4 and v.account_id = $5 then ${elsewhere('$6')} else '[]' end as elsewhere
       from saves v where v.school_id = $1 and v.command_id = $2 and v.entry_id = $3`,
      [commandId, entryId, role === 'teacher', accountId, setIds],
    );
    return row;
  },
};

/** SQL: of a save `v`, the students who are in none of these sets now, as JSON. */
export const elsewhere = (setIds: string): string => `(
  select coalesce(json_agg(json_build_object('studentId', one.student_id, 'name', p.name, 'place',
           case when e.state = 'set' and not s.deleted then s.name when e.state <> 'removed' then '${OFF_ROLL_NAME}' end) order by p.name), '[]')
    from unnest(v.student_ids) as one (student_id)
    left join students p on p.school_id = $1 and p.student_id = one.student_id
    left join enrolments e on e.school_id = $1 and e.subject_id = v.subject_id and e.student_id = one.student_id
    left join sets s on s.school_id = $1 and s.set_id = e.set_id
   where e.set_id is null or e.set_id <> all(${setIds}::uuid[]))`;
