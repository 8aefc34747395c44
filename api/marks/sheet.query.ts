import { createHash } from 'node:crypto';
import { seen } from '../../events/marks/cell.ts';
import type { StoredCell } from '../../events/marks/cell-text.ts';
import { decodeCell } from '../../events/marks/cell-text.ts';
import { mayWriteSet } from '../actor.ts';
import { inOrder } from '../common/in-order.ts';
import { defineSharedQuery, JsonText } from '../common/query.ts';
import { invalidInput } from '../common/problems.ts';
import type { Sheet, SheetCell, SheetStudent } from './sheet.contract.ts';
import { sheetQueries } from './sheet.contract.ts';
import { theRow } from '../common/facts.ts';
import { ATTENDANCE, STAFF_TOTAL, TOTAL_FLAGS, ifFlagged, paperOf } from './staff-total.facts.ts';

/**
 * An assessment of a class, or of a year group as a whole: every student with every question, the same for everybody but for where they may
 * write.
 */
export const sheet = defineSharedQuery({
  ...sheetQueries.sheet,
  models: ['structure', 'roster', 'assessments', 'results'],
  marks: 'assessment',
  async read(query, { testId, setId, yearGroupId }, { subjectId }) {
    if ((setId === undefined) === (yearGroupId === undefined)) throw invalidInput('setId', 'Choose a class or a year group.');
    const { name, max, questions, sets } = theRow(await query<Head>(HEAD, [testId, setId ?? null, yearGroupId ?? null]));
    const rows = await query<Row>(STUDENTS, [testId, sets.map((set) => set.setId), questions.map(({ questionId }) => questionId)]);
    const shared: Omit<Sheet, 'version' | Own> = {
      testId,
      name,
      subjectId,
      max,
      questions,
      students: rows.map((row) => studentOf(row, questions)),
    };
    const text = JSON.stringify(shared);
    const version = createHash('sha256').update(text).update(JSON.stringify(sets)).digest('base64url').slice(0, 22);
    return { text: new JsonText<Omit<Sheet, Own>>(`{"version":"${version}",${text.slice(1)}`), facts: sets };
  },
  ownFields(sets: Head['sets'], actor, _input, { subjectId }): Pick<Sheet, Own> {
    const written = sets.map((set) => ({ ...set, mayWrite: mayWriteSet(actor, { setId: set.setId, subjectId }) }));
    return { mayWrite: written.every(({ mayWrite }) => mayWrite), sets: written };
  },
});

type Own = 'mayWrite' | 'sets';
type Head = Pick<Sheet, 'name' | 'max' | 'questions'> & { readonly sets: readonly { readonly setId: string; readonly name: string }[] };

/** What stands in a cell. `place`: of the question, from 1; null: no question of today's paper. */
type Stored = readonly [place: number | null, kind: 'm' | 't' | 'a', mark: number | null, uploaded: boolean, contested: StoredCell | null];
type Row = Omit<SheetStudent, 'attendance' | 'flags' | 'total' | 'marks' | 'effective' | 'cells'> & {
  readonly attendance: SheetStudent['attendance']['value'];
  readonly flags: number;
  readonly sum: number;
  readonly count: number;
  readonly effectiveSum: number;
  readonly effectiveCount: number;
  /** What the student has confirmed last, by question. */
  readonly own: Readonly<Record<string, number>> | null;
  readonly stored: readonly Stored[] | null;
};

const studentOf = (
  { attendance, flags, sum, count, effectiveSum, effectiveCount, own, stored, ...student }: Row,
  questions: Sheet['questions'],
): SheetStudent => {
  const cells = new Array<SheetCell | null>(questions.length).fill(null);
  let total: SheetCell | null = null;
  let attended: SheetStudent['attendance'] = { value: attendance };
  for (const [place, kind, mark, uploaded, contested] of stored ?? []) {
    if (kind === 'm') {
      if (place !== null) cells[place - 1] = cellOf(mark, uploaded, contested);
    } else if (kind === 't') total = cellOf(mark, uploaded, contested);
    else if (contested) attended = { value: attendance, values: seen(decodeCell(contested)) };
  }
  return {
    ...student,
    ...ifFlagged(flags),
    attendance: attended,
    total,
    marks: { sum, count },
    effective: { sum: effectiveSum, count: effectiveCount },
    cells: own === null ? cells : cells.map((cell, index) => withOwn(cell, own[questions[index]?.questionId ?? ''])),
  };
};

/** The student's own mark counts where staff have entered none. */
const withOwn = (cell: SheetCell | null, ownMark: number | undefined): SheetCell | null => {
  if (ownMark === undefined) return cell;
  return cell === null || cell.value === null ? { ...cell, value: ownMark, source: 'student' } : { ...cell, student: ownMark };
};

const cellOf = (value: number | null, uploaded: boolean, contested: StoredCell | null): SheetCell | null => {
  if (contested) return { value, source: sourceOf(uploaded), values: seen(decodeCell(contested)) };
  return value === null ? null : { value, source: sourceOf(uploaded) };
};

const sourceOf = (uploaded: boolean): 'staff' | 'upload' => (uploaded ? 'upload' : 'staff');

/** $1 school; $2 assessment; $3 class; $4 year group. */
const HEAD = `
select t.name, t.max,
  (select coalesce(json_agg(json_build_object('setId', s.set_id, 'name', s.name) order by ${inOrder('s.name')}), '[]')
     from sets s
    where s.school_id = $1 and not s.deleted and (s.set_id = $3 or s.year_group_id = $4)) as sets,
  (select coalesce(json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'topic', q.topic, 'max', q.marks_available)
                            order by q.number), '[]')
     from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
from tests t
where t.school_id = $1 and t.test_id = $2`;

/**
 * $1 school; $2 assessment; $3 classes; $4 questions in order. Everything of a student is looked up by key (offset 0 keeps it so), and
 * cells are placed by position: joined freely, each row would be compared with each of the other table.
 */
const STUDENTS = `
select s.student_id as "studentId", s.name, s.admission_no as "admissionNo", e.set_id as "setId",
  ${ATTENDANCE} as attendance,
  ${STAFF_TOTAL} as "staffTotal", ${TOTAL_FLAGS} as flags,
  coalesce(m.marks_sum, 0) as sum, coalesce(m.marks_count, 0) as count,
  coalesce(m.effective_sum, 0) as "effectiveSum", coalesce(m.effective_count, 0) as "effectiveCount", o.confirmations -> -1 -> 'marks' as own, c.stored
from enrolments e
join tests t on t.school_id = $1 and t.test_id = $2
cross join lateral (select * from students s where s.school_id = $1 and s.student_id = e.student_id offset 0) s
left join lateral (select * from markbook m
                    where m.school_id = $1 and m.test_id = $2 and m.student_id = s.student_id offset 0) m on true
${paperOf('$2')}
left join lateral (select * from submissions o
                    where m.submitted and o.school_id = $1 and o.test_id = $2 and o.student_id = s.student_id offset 0) o on true
left join lateral (
  select json_agg(json_build_array(array_position($4::uuid[], r.item_id), r.kind, r.mark, r.uploaded, case when r.contested then r.cell end)) as stored
    from (select * from results r where r.school_id = $1 and r.test_id = $2 and r.student_id = s.student_id
             and (r.mark is not null or r.contested) offset 0) r
) c on true
where e.school_id = $1 and e.set_id = any($3::uuid[])
order by ${inOrder('s.name')}, s.student_id`;
