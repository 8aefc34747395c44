import { uuidv5 } from '../../events/codec/ids.ts';
import type { StoredCell } from '../../events/marks/cell-text.ts';
import { decodeCell } from '../../events/marks/cell-text.ts';
import { heads } from '../../events/marks/cell.ts';
import { mayWriteSet } from '../actor.ts';
import { ProblemError } from '../common/problems.ts';
import { messages } from '../contract/limits.ts';
import type { Caller } from './caller.ts';
import type { Step } from './step.ts';
import { nothingToDo, stepOfRows } from './step.ts';

/** A total (no `questionId`), or the mark of a question. `mark` null: none any more. `id`: of its row. */
export type TypedMark = {
  readonly place: number;
  readonly id: string;
  readonly testId: string;
  readonly studentId: string;
  readonly questionId?: string;
  readonly mark: number | null;
};

/**
 * Marks as one save per subject, all of them or none. A mark that already stands by the same account writes nothing, so that a request that
 * is sent twice is stored once.
 *
 * @throws ProblemError `not-found`, `not-your-set`, `above-maximum`, `refused`
 */
export const entering = async (caller: Caller, marks: readonly TypedMark[]): Promise<readonly Step[]> => {
  const cells = await cellsOf({ actor: caller.actor, sql: (work) => caller.sql(work) }, marks);
  const changed: (readonly [subjectId: string, mark: TypedMark])[] = [];
  for (const [at, mark] of marks.entries()) {
    const { subjectId, setId, max, stands, student, question } = cells[at]!;
    if (subjectId === null || setId === null) throw notThere(mark);
    if (!mayWriteSet(caller.actor, { setId, subjectId })) {
      // As if it were not there, for whoever may not see the subject.
      if (!caller.actor.subjectIds.includes(subjectId)) throw notThere(mark);
      throw new ProblemError('not-your-set', 'You may not enter marks for this class.', {
        errors: [wrong(mark, 'This class is not yours.')],
      });
    }
    if (max === null)
      throw new ProblemError('refused', 'This assessment has no questions yet.', { errors: [wrong(mark, 'It has no questions yet.')] });
    if (mark.mark !== null && mark.mark > max) {
      const above =
        question === null ? messages.manualAbove(max) : messages.markAbove(student ?? 'Forgotten student', mark.mark, `Q${question}`, max);
      throw new ProblemError('above-maximum', above, { errors: [wrong(mark, above)] });
    }
    if (!stands) changed.push([subjectId, mark]);
  }
  const unchanged = marks.filter((_, at) => cells[at]!.stands);
  return [
    ...[...Map.groupBy(changed, ([subjectId]) => subjectId)].map(([subjectId, ofSubject]) =>
      save(
        caller,
        subjectId,
        ofSubject.map(([, mark]) => mark),
      ),
    ),
    ...(unchanged.length === 0 ? [] : [nothingToDo(idsOf(unchanged))]),
  ];
};

const idsOf = (marks: readonly TypedMark[]) => marks.map(({ place, id }) => [place, id] as const);

const save = ({ key }: Caller, subjectId: string, marks: readonly TypedMark[]): Step =>
  stepOfRows(
    idsOf(marks),
    'EnterMarks',
    {
      entryId: uuidv5(`entry ${subjectId}`, key),
      subjectId,
      seq: 1,
      cells: marks.map(({ testId, studentId, questionId, mark }) => ({
        testId,
        studentId,
        ...(questionId === undefined ? {} : { questionId }),
        is: mark ?? 'cleared',
      })),
    },
    ({ refused: [first] }) => first && new ProblemError('refused', first.message),
  );

const wrong = ({ place }: TypedMark, message: string) => ({ path: `data.${place}.values`, message });
const notThere = (mark: TypedMark): ProblemError =>
  new ProblemError('not-found', 'There is no such student, assessment or question.', {
    errors: [wrong(mark, 'There is no such student in a class of the subject, no such assessment, or no such question.')],
  });

type Known = {
  readonly subjectId: string | null;
  readonly setId: string | null;
  /** Null: the assessment has no questions yet. */
  readonly max: number | null;
  /** The name; null: forgotten. */
  readonly student: string | null;
  /** The number of the question; null: it is a total. */
  readonly question: number | null;
  /** Whether the mark stands already, by the same account. */
  readonly stands: boolean;
};

/** In the order of the marks. */
const cellsOf = ({ actor, sql }: CallerOf, marks: readonly TypedMark[]): Promise<readonly Known[]> =>
  sql(async (query) => {
    const rows = await query<Omit<Known, 'stands'> & { readonly cell: StoredCell | null }>(CELLS, [
      marks.map(({ testId }) => testId),
      marks.map(({ testId, questionId }) => questionId ?? testId),
      marks.map(({ questionId }) => (questionId === undefined ? 't' : 'm')),
      marks.map(({ studentId }) => studentId),
    ]);
    const standing = rows.map(({ cell }, at) => heads(decodeCell(cell)).filter(({ is }) => is === (marks[at]?.mark ?? 'cleared')));
    const commands = standing.flat().map(({ command }) => command);
    const ownSaves = new Set(
      (
        await query<{ id: string }>(
          'select command_id as id from saves where school_id = $1 and account_id = $2 and command_id = any($3::uuid[])',
          [actor.accountId, commands],
        )
      ).map(({ id }) => id),
    );
    return rows.map(({ cell: _, ...row }, at) => ({ ...row, stands: (standing[at] ?? []).some(({ command }) => ownSaves.has(command)) }));
  });

type CallerOf = { readonly actor: Caller['actor']; readonly sql: Caller['sql'] };

const CELLS = `
  select t.subject_id as "subjectId", s.set_id as "setId", case when m.kind = 't' then t.max else q.marks_available end as max,
         n.name as student, case when m.kind = 'm' then q.number end as question, r.cell
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[]) with ordinality as m (test_id, item_id, kind, student_id, place)
    left join tests t on t.school_id = $1 and t.test_id = m.test_id
     and exists (select from subjects b where b.school_id = $1 and b.subject_id = t.subject_id)
     and (m.kind = 't' or exists (select from questions q
           where q.school_id = $1 and q.question_id = m.item_id and q.test_id = t.test_id and not q.hidden))
    left join questions q on q.school_id = $1 and q.question_id = m.item_id and q.test_id = t.test_id
    left join enrolments e on e.school_id = $1 and e.subject_id = t.subject_id and e.student_id = m.student_id
    left join students n on n.school_id = $1 and n.student_id = m.student_id
    left join sets s on s.school_id = $1 and s.set_id = e.set_id and not s.deleted
    left join results r on r.school_id = $1 and r.test_id = m.test_id and r.item_id = m.item_id and r.kind = m.kind
     and r.student_id = m.student_id
   order by m.place`;
