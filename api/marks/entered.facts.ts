/** Marks that changes of a paper would concern. */
import { streamOf } from '../../events/aggregate.ts';
import { assessment } from '../../events/assessments/assessment.ts';
import type { Facts } from '../common/facts.ts';

/**
 * SQL: joins to a submission `o` the marks `own` (question_id, mark) that its student confirmed last and that count, because staff have none
 * there. They are marks like those of staff to whoever changes a paper.
 */
export const OWN_MARKS = `
  cross join lateral (
    select own.key::uuid as question_id, own.value::int4 as mark
      from json_each_text(o.confirmations -> -1 -> 'marks') as own
     where not exists (
       select from results r
        where r.school_id = o.school_id and r.test_id = o.test_id and r.student_id = o.student_id
          and r.kind = 'm' and r.item_id = own.key::uuid and r.mark is not null)
  ) own`;

export type EnteredMark = {
  readonly name: string;
  readonly questionId: string | null;
  readonly number: number | null;
  readonly mark: number;
};
/**
 * The marks and totals entered on a test: a maximum must not be set below one of them. Where both a student and staff have marked a
 * question, the higher mark: the student's counts again when that of staff is undone or cleared.
 */
export const enteredMarks: Facts<{ readonly testId: string }, readonly EnteredMark[]> = {
  models: ['assessments', 'results', 'roster'],
  waits: true,
  load: (query, { testId }) =>
    query(
      `select coalesce(s.name, 'A forgotten student') as name,
              e.question_id as "questionId", q.number, e.mark
         from (
           select student_id, question_id, max(mark) as mark
             from (
               select r.student_id, case r.kind when 'm' then r.item_id end as question_id, r.mark
                 from results r
                where r.school_id = $1 and r.test_id = $2 and r.mark is not null
               union all
               select o.student_id, own.key::uuid, own.value::int4
                 from submissions o
                cross join lateral json_each_text(o.confirmations -> -1 -> 'marks') as own
                where o.school_id = $1 and o.test_id = $2
             ) said
            group by student_id, question_id
         ) e
         join students s on s.school_id = $1 and s.student_id = e.student_id
         left join questions q on q.school_id = $1 and q.question_id = e.question_id
        order by s.name, q.number`,
      [testId],
    ),
};

/** SQL: the number of mappings of a question of a subject to topics; `$1` is the school. */
export const mappingsOf = (questionId: string, subjectId: string): string => `(
  coalesce((select cardinality(b.topic_ids) from question_maps b where b.school_id = $1 and b.question_id = ${questionId}), 0)
  + (select count(*) from prerequisites p
      where p.school_id = $1 and p.subject_id = ${subjectId} and ${questionId} = any(p.question_ids)))::int4`;

export type PaperFacts = {
  readonly entered: readonly EnteredMark[];
  /** For each question that was ever on the paper: how many students have a mark for it, and its mappings. Left out: neither. */
  readonly held: Readonly<Record<string, { readonly marks: number; readonly mappings: number }>>;
};
/** What hangs on the questions of a test. */
export const paperFacts: Facts<{ readonly testId: string }, PaperFacts> = {
  models: ['assessments', 'results', 'roster', 'mappings'],
  waits: true,
  load: async (query, input, actor) => {
    const entered = await enteredMarks.load(query, input, actor);
    const mapped = await query<{ questionId: string; mappings: number }>(
      `select q.question_id as "questionId", ${mappingsOf('q.question_id', 't.subject_id')} as mappings
         from tests t join questions q using (school_id, test_id)
        where t.school_id = $1 and t.test_id = $2`,
      [input.testId],
    );
    const marks = Map.groupBy(entered, ({ questionId }) => questionId);
    const held = mapped.map(({ questionId, mappings }) => [questionId, { marks: marks.get(questionId)?.length ?? 0, mappings }] as const);
    return { entered, held: Object.fromEntries(held) };
  },
};

export type MarkedQuestions = {
  readonly entered: readonly EnteredMark[];
  /** The questions in which marks were written later in the log than the command to undo. What was undone does not count. */
  readonly markedSince: readonly string[];
};
export const markedQuestions: Facts<{ readonly testId: string; readonly commandId: string }, MarkedQuestions> = {
  models: ['assessments', 'results', 'roster', 'record'],
  waits: true,
  load: async (query, input, actor) => {
    const marked = await query<{ questionId: string }>(
      `with changed as materialized (
         select max(h.position) as position from record h where h.school_id = $1 and h.stream = $3 and h.command_id = $4
       )
       select written ->> 1 as "questionId"
         from changed, saves s, json_array_elements(s.columns) as written
        where s.school_id = $1 and $2 = any(s.test_ids) and not s.undone and (written ->> 0)::uuid = $2 and written ->> 2 = 'm'
          and s.position > changed.position
       union
       select own.question_id::text
         from changed, submissions o ${OWN_MARKS}
        where o.school_id = $1 and o.test_id = $2
          and exists (select from record_things t join record h on h.school_id = $1 and h.position = t.position
                       where t.school_id = $1 and t.thing = o.student_id and t.position > changed.position
                         and h.type = 'SubmissionConfirmed' and h.things @> array[o.test_id])`,
      [input.testId, streamOf(assessment.category, actor.schoolId, input.testId), input.commandId],
    );
    return { entered: await enteredMarks.load(query, input, actor), markedSince: marked.map(({ questionId }) => questionId) };
  },
};
