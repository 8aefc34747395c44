import { fromColumns, type MarkColumns, toColumns } from '../../events/codec/columnar.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import type { Actor } from '../actor.ts';
import type { RunSql } from '../common/facts.ts';
import type { MaySend } from '../common/query.ts';
import { refusedTurn } from '../marks/undo.rules.ts';
import type { RecentAct } from './history.contract.ts';
import type { RecordRow } from './history.query.ts';
import { studentsIn, Values } from './record-sql.ts';

/** Events of which a teacher is told only what concerns the present students of their classes, unless the teacher has done it. */
export const asSeenBy = async (query: RunSql, actor: Actor, events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
  if (actor.role !== 'teacher') return events;
  const values = new Values();
  const [row] = await query<{ ids: readonly string[] }>(`select ${studentsIn(actor, values)} as ids`, values.all);
  const own = new Set(row?.ids);
  return events.map((event) => (event.metadata.actor.accountId === actor.accountId ? event : withMarksOf(event, own)));
};

const withMarksOf = (event: RecordedEvent, students: ReadonlySet<string>): RecordedEvent => {
  const theirs = (marks: MarkColumns): MarkColumns => toColumns(fromColumns(marks).filter(({ studentId }) => students.has(studentId)));
  switch (event.type) {
    case 'TotalsUploaded':
      return { ...event, data: { ...event.data, marks: theirs(event.data.marks) } };
    case 'MarksUploaded':
      return { ...event, data: { ...event.data, marks: theirs(event.data.marks) } };
    case 'MarkDecided':
      return { ...event, data: { ...event.data, marks: theirs(event.data.marks) } };
    case 'MarksEntered': {
      const refused = event.data.refused.filter(({ studentId }) => students.has(studentId));
      return { ...event, data: { ...event.data, marks: theirs(event.data.marks), refused } };
    }
    default:
      return event;
  }
};

type Undo = NonNullable<RecentAct['undo']>;

/** Which of these acts the reader may take back, or bring back: the rules of the commands that do it. */
export const turnsAllowed = async (
  query: RunSql,
  actor: Actor,
  subjectId: string,
  rows: readonly RecordRow[],
  maySend: MaySend,
): Promise<(undo: Undo, of: readonly RecordRow[]) => boolean> => {
  const own = rows.filter(({ accountId, stream }) => accountId === actor.accountId && stream.startsWith('entry-'));
  // What others did a teacher may not take back.
  const places =
    actor.role === 'teacher' && own.length > 0 ? await query<Places>(SETS_OF, [own.map(({ commandId }) => commandId), subjectId]) : [];
  const setsOf = new Map(places.map(({ entryId, setIds }) => [entryId, setIds]));
  return (undo, of) => {
    switch (undo.by) {
      case 'UndoAct':
        return maySend('UndoAct') && (maySend('UndoRosterChange') || of.every(({ stream }) => !stream.startsWith('roster-')));
      case 'UndoCommand':
      case 'RedoCommand':
        return (
          maySend(undo.by) &&
          of.every(({ accountId }) => {
            const save = { subjectId, accountId, setIds: setsOf.get(undo.entryId) ?? [], elsewhere: [] };
            return refusedTurn(save, actor, undo.by === 'UndoCommand' ? 'undo' : 'redo') === undefined;
          })
        );
      default:
        return maySend(undo.by);
    }
  };
};

type Places = { readonly entryId: string; /** null: of a student who is in no class */ readonly setIds: readonly (string | null)[] };

/** $2 commands; $3 subject: the present classes of the students of saves. */
const SETS_OF = `
with saved as materialized (
  select distinct v.entry_id, s.student_id
    from saves v cross join unnest(v.student_ids) as s (student_id)
   where v.school_id = $1 and v.command_id = any($2::uuid[])
)
select s.entry_id as "entryId", json_agg(distinct e.set_id) as "setIds"
  from saved s
  left join enrolments e on e.school_id = $1 and e.subject_id = $3 and e.student_id = s.student_id
 group by s.entry_id`;
