import { reading, withRedone } from '../../events/marks/cell.ts';
import type { StoredCell } from '../../events/marks/cell-text.ts';
import { decodeCell, textOfId } from '../../events/marks/cell-text.ts';
import type { RedoCommand } from './marks.contract.ts';
import type { Facts } from '../common/facts.ts';
import type { UndoFacts } from './undo.facts.ts';
import { undoFacts } from './undo.facts.ts';

/** A mark that would count after a redo and is above the maximum of now. `number` null: the total. */
export type Misfit = {
  readonly studentId: string;
  readonly name: string;
  readonly number: number | null;
  readonly mark: number;
  readonly max: number;
};

export type RedoFacts = (NonNullable<UndoFacts> & { readonly misfits: readonly Misfit[] }) | undefined;

/** What undoing needs to know, and which marks no longer fit. */
export const redoFacts: Facts<RedoCommand, RedoFacts> = {
  models: [...undoFacts.models, 'assessments'],
  waits: true,
  load: async (query, input, actor) => {
    const save = await undoFacts.load(query, input, actor);
    const cells = await query<Omit<Misfit, 'mark'> & { cell: StoredCell }>(CELLS, [input.commandId, textOfId(input.commandId)]);
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
const CELLS = `
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
