import type { UndoCommand } from '../contract/marks.ts';
import type { Facts } from './facts.ts';

/** The command to undo or redo: its author, and the current sets of its students. */
export type UndoFacts =
  | {
      readonly subjectId: string;
      readonly accountId: string;
      readonly cells: number;
      /** null: a student who is in no set of the subject now */
      readonly setIds: readonly (string | null)[];
    }
  | undefined;

export const undoFacts: Facts<UndoCommand, UndoFacts> = {
  models: ['results', 'roster'],
  waits: true,
  load: async (query, { entryId, commandId }) => {
    const [row] = await query<NonNullable<UndoFacts>>(
      `select v.subject_id as "subjectId", v.account_id as "accountId", v.cells,
              (select coalesce(json_agg(distinct e.set_id), '[]')
                 from unnest(v.student_ids) as s (student_id)
                 left join enrolments e on e.school_id = $1 and e.subject_id = v.subject_id and e.student_id = s.student_id) as "setIds"
       from saves v where v.school_id = $1 and v.command_id = $2 and v.entry_id = $3`,
      [commandId, entryId],
    );
    return row;
  },
};
