import type { RunSql } from '../../common/facts.ts';
import { ProblemError } from '../../common/problems.ts';
import { defineQuery } from '../../common/query.ts';
import { hasMarks } from '../group.contract.ts';
import { sittingsOfStudents } from '../sittings.facts.ts';
import type { Asked } from '../topic-figures.contract.ts';
import { ofStudent } from '../topic-figures.contract.ts';
import { type Bearing, bearingOn, ragOf, topicValue } from '../topics.contract.ts';
import { topicsOf } from '../topics.facts.ts';
import { NOT_LIVE } from './home.query.ts';
import type { StudentTopics } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import { placeOf } from './student.facts.ts';

/** What a student got in the topics of the scheme of work of their class. */
export const studentTopics = defineQuery({
  ...studentQueries['student-topics'],
  models: ['structure', 'roster', 'assessments', 'mappings', 'results'],
  live: NOT_LIVE,
  async run(query, { subjectId, schemeId: wanted }, actor): Promise<StudentTopics> {
    const { studentId, set, thresholds, ...place } = await placeOf(query, actor, subjectId);
    const schemeId = wanted ?? place.schemeId;
    const known = schemeId === null ? undefined : await topicsOf(query, subjectId, schemeId);
    if (wanted !== undefined && !known) throw new ProblemError('not-found', 'There is no such scheme of work.');
    const { papers, sittings } = await sittingsOfStudents(query, subjectId, [studentId]);
    const own = [...sittings].flatMap(([testId, [sitting]]) => (sitting && hasMarks(sitting) ? [[testId, sitting] as const] : []));
    const testIds = own.map(([testId]) => testId);
    const asked = await askedOfClass(query, set?.setId ?? null, studentId, testIds);
    const questions: Asked[] = testIds.flatMap((testId) =>
      (papers.get(testId)?.questions ?? []).flatMap(({ questionId, max }, place) =>
        asked.has(questionId) ? [{ testId, questionId, max, place }] : [],
      ),
    );
    const topicsOfQuestion = new Map(known?.mapped.map(({ questionId, topicIds }) => [questionId, topicIds]));
    const bearing = known
      ? bearingOn(
          known.topics,
          known.tree,
          questions.map(({ questionId }) => ({ questionId, topicIds: topicsOfQuestion.get(questionId) ?? [] })),
        )
      : new Map<string, readonly Bearing[]>();
    const byId = new Map(questions.map((one) => [one.questionId, one]));
    const bySitting = new Map(own);
    return {
      subjectId,
      scheme: known?.scheme ?? null,
      thresholds,
      topics: (known?.topics ?? []).map(({ schemeTopicId, name }) => {
        const figures = ofStudent(bearing.get(schemeTopicId) ?? [], byId, bySitting);
        const value = topicValue(figures);
        return {
          schemeTopicId,
          name,
          value,
          rag: ragOf(value, thresholds),
          predicted: figures.predicted,
          questions: figures.questions.flatMap(({ testId, questionId }) => {
            const paper = papers.get(testId);
            const question = paper?.questions.find((one) => one.questionId === questionId);
            if (!paper || !question) return [];
            const { number, topic, max } = question;
            return [{ questionId, test: paper.name, number, topic, mark: figures.marksOf.get(questionId) ?? null, max }];
          }),
        };
      }),
    };
  },
});

/**
 * The questions on the papers of these visible assessments that somebody of the class has a mark for, or the student: what nobody of the
 * class has one for, it was not asked.
 */
const askedOfClass = async (
  query: RunSql,
  setId: string | null,
  studentId: string,
  testIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (testIds.length === 0) return new Set();
  const rows = await query<{ questionId: string }>(ASKED, [setId, studentId, testIds], 'student-asked');
  return new Set(rows.map(({ questionId }) => questionId));
};

/** $1 school; $2 class; $3 student; $4 assessments. Looked up by their keys, and mostly found with the first of the class (offset 0 keeps it so). */
const ASKED = `
with class as materialized (
  select e.student_id from enrolments e where e.school_id = $1 and e.set_id = $2
  union select $3::uuid
)
select q.question_id as "questionId"
from tests t
join questions q on q.school_id = $1 and q.test_id = t.test_id and not q.hidden
where t.school_id = $1 and t.test_id = any($4::uuid[]) and t.visible and (
  exists (select from class c
           cross join lateral (select from results r
             where r.school_id = $1 and r.test_id = q.test_id and r.student_id = c.student_id and r.kind = 'm' and r.item_id = q.question_id
               and r.mark is not null offset 0) r)
  or exists (select from class c
              cross join lateral (select o.confirmations from submissions o
                where o.school_id = $1 and o.test_id = q.test_id and o.student_id = c.student_id offset 0) o
              where o.confirmations -> -1 -> 'marks' ->> q.question_id::text is not null))`;
