import type { Cell, Change } from '../../events/marks/cell.ts';
import { agrees, heads, reading, seenValues } from '../../events/marks/cell.ts';
import type { StoredCell } from '../../events/marks/cell-text.ts';
import { decodeCell } from '../../events/marks/cell-text.ts';
import type { MarkCell } from '../../events/codec/columnar.ts';
import { mayWriteSet } from '../actor.ts';
import type { CellHistory } from './marks.contract.ts';
import { theRow } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import { marksQueries } from './marks.contract.ts';

type Save = { commandId: string; kind: string; at: string; by: string | null; fileName: string | null; satOn: string | null };
type Read = {
  setId: string | null;
  max: number | null;
  cell: StoredCell | null;
  confirmations: readonly { readonly at: string; readonly marks: Readonly<Record<string, number>> }[] | null;
  above: CellHistory['above'];
  /** The student's own mark, where it counts. Staff totals have none of these. */
  ownAbove: CellHistory['above'][number] | null;
};

/** The history of one cell: who entered what, when, what they saw before, and which value counts now. */
export const cell = defineQuery({
  ...marksQueries.cell,
  models: ['structure', 'roster', 'assessments', 'results', 'accounts'],
  marks: 'assessment',
  async run(query, { testId, studentId, questionId, attendance }, actor, { subjectId }): Promise<CellHistory> {
    const kind = questionId !== undefined ? 'm' : attendance === 'true' ? 'a' : 't';
    const read = theRow(await query<Read>(CELL, [testId, studentId, questionId ?? testId, kind]));
    const history = decodeCell(read.cell);
    const saves = await query<Save>(SAVES, [history.map(({ command }) => command)]);
    const now = readingOf(history);
    return {
      reading: now,
      mayWrite: read.setId !== null && mayWriteSet(actor, { setId: read.setId, subjectId }),
      max: kind === 'a' ? null : read.max,
      above: read.ownAbove === null ? read.above : [read.ownAbove],
      changes: changesOf(history, new Map(saves.map((save) => [save.commandId, save])), kinds[kind]),
      student: ownOf(read.confirmations, questionId, now),
    };
  },
});

/** What the student has confirmed, oldest first. The last one counts where staff have entered nothing. */
const ownOf = (
  confirmations: Read['confirmations'],
  questionId: string | undefined,
  now: CellHistory['reading'],
): CellHistory['student'] => {
  if (questionId === undefined) return [];
  const isOpen = now.state === 'empty' || now.value === 'cleared';
  return (confirmations ?? []).flatMap(({ at, marks }, index, all) => {
    const mark = marks[questionId];
    return mark === undefined ? [] : [{ mark, at, counts: isOpen && index === all.length - 1 }];
  });
};

const readingOf = (history: Cell): CellHistory['reading'] => {
  const now = reading(history);
  switch (now.state) {
    case 'empty':
      return { state: 'empty' };
    case 'counts':
      return { state: 'counts', value: now.value };
    case 'contested':
      return { state: 'contested', value: now.value, values: now.values };
  }
};

const kinds = { m: 'mark', a: 'attendance', t: 'total' } as const;

const changesOf = (history: Cell, saves: ReadonlyMap<string, Save>, kind: MarkCell['kind']): CellHistory['changes'] => {
  const standing = new Set(heads(history));
  const again = history.map((change, index) => {
    const before = history.slice(0, index);
    return agrees(before, change) || sawItself(before, change);
  });
  return history.map((change, index) => {
    const save = saves.get(change.command);
    return {
      is: change.is,
      was: seenValues(change.was, kind),
      at: save?.at ?? '',
      by: save?.by ?? null,
      how: save?.kind === 'typed' ? 'typed' : save?.kind === 'decided' ? 'decided' : 'upload',
      fileName: save?.fileName ?? null,
      satOn: save?.satOn ?? null,
      entryId: change.entry,
      commandId: change.command,
      undone: change.undone,
      head: standing.has(change),
      agrees: again[index] ?? false,
      confirmed:
        !change.undone &&
        !standing.has(change) &&
        again[coveredBy(history, index)] === true &&
        history.some((later) => standing.has(later) && later.is === change.is && covers(later, index)),
    };
  });
};

/** Whether the authors saw the value that they entered, also where that has been undone since. */
const sawItself = (before: Cell, { is, was }: Change): boolean =>
  was.length === 1 && was[0] === is && before.some((earlier) => earlier.is === is);

/** The index of the first standing change that covers this one; -1: none. */
const coveredBy = (history: Cell, index: number): number => history.findIndex((later) => !later.undone && covers(later, index));

const covers = ({ covers: ranges }: Change, index: number): boolean =>
  ranges.some((from, at) => at % 2 === 0 && from <= index && index < (ranges[at + 1] ?? 0));

const CELL = `
select e.set_id as "setId", r.cell, o.confirmations,
  case $5 when 'm' then (select marks_available from questions where school_id = $1 and question_id = $4::uuid and test_id = $2) else t.max end as max,
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'mark', m.mark, 'max', coalesce(q.marks_available, t.max))
                            order by q.number nulls first), '[]')
     from results m
     left join questions q on q.school_id = $1 and q.question_id = m.item_id and m.kind = 'm' and not q.hidden
    where m.school_id = $1 and m.test_id = t.test_id and m.student_id = s.student_id
      and case $5 when 't' then m.kind = 't' or q.question_id is not null else m.kind = $5 and m.item_id = $4::uuid end
      and m.mark > case m.kind when 'm' then q.marks_available else t.max end) as above,
  (select json_build_object('questionId', q.question_id, 'number', q.number, 'mark', own.mark, 'max', q.marks_available)
     from questions q, lateral (select (o.confirmations -> -1 -> 'marks' ->> q.question_id::text)::int4 as mark) own
    where $5 = 'm' and q.school_id = $1 and q.question_id = $4::uuid and q.test_id = t.test_id and not q.hidden
      and r.mark is null and own.mark > q.marks_available) as "ownAbove"
from tests t
join students s on s.school_id = $1 and s.student_id = $3
left join enrolments e on e.school_id = $1 and e.subject_id = t.subject_id and e.student_id = s.student_id
left join results r on r.school_id = $1 and r.test_id = t.test_id and r.student_id = s.student_id and r.item_id = $4::uuid and r.kind = $5
left join submissions o on o.school_id = $1 and o.test_id = t.test_id and o.student_id = s.student_id
where t.school_id = $1 and t.test_id = $2`;

const SAVES = `
select v.command_id as "commandId", v.kind, to_json(v.at) #>> '{}' as at, a.name as by, v.file_name as "fileName", v.sat_on::text as "satOn"
from saves v left join accounts a on a.school_id = $1 and a.account_id = v.account_id
where v.school_id = $1 and v.command_id = any($2::uuid[])`;
