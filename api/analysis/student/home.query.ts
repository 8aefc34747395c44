import type { RunSql } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { cardOf } from './card.rules.ts';
import type { StudentHome } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import type { StudentPlace } from './student.facts.ts';
import { ownTests, placeOf } from './student.facts.ts';

/** Pages of students are not live: they are refreshed when somebody comes back to them. */
export const NOT_LIVE = {
  structure: null,
  roster: null,
  assessments: null,
  results: null,
  tasks: null,
  prior: null,
  mappings: null,
} as const;

/** What a student has done in a subject, and what came of complete tasks if the school shows that. */
export const studentHome = defineQuery({
  ...studentQueries['student-home'],
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  live: NOT_LIVE,
  async run(query, { subjectId }, actor): Promise<StudentHome> {
    const place = await placeOf(query, actor, subjectId);
    const tests = await ownTests(query, place);
    const [more] = await query<Pick<StudentHome, 'exams'> & { shown: boolean }>(MORE, [subjectId]);
    return {
      subjectId,
      subject: place.subject,
      set: place.set,
      thresholds: place.thresholds,
      tests: tests.map((test) => ({ ...cardOf(test), questions: test.marked > 0 })),
      exams: more?.exams ?? [],
      results: more?.shown ? await completeResults(query, place) : null,
    };
  },
});

type Results = NonNullable<StudentHome['results']>;

/** What came of the feedback tasks that are complete for the student's class, the newest first. */
export const completeResults = (query: RunSql, { studentId, subjectId }: Pick<StudentPlace, 'studentId' | 'subjectId'>): Promise<Results> =>
  query<Results[number]>(RESULTS, [studentId, subjectId]);

/** $1 school; $2 subject. */
const MORE = `
select h.results_shown as shown,
  (select coalesce(json_agg(json_build_object('terminalExamId', x.terminal_exam_id, 'name', x.name, 'yearSat', x.year_sat) order by x.year_sat desc, x.name), '[]')
     from terminal_exams x where x.school_id = $1 and x.subject_id = $2) as exams
from schools h where h.school_id = $1`;

/** $1 school; $2 student; $3 subject. Only of complete tasks: before that a rank is nobody's but the teachers'. */
const RESULTS = `
select k.task_id as "taskId", coalesce(r.decided_ranking, r.ranking) as ranking, coalesce(r.decided_score, r.score) as score,
  coalesce(r.decided_grade, r.grade) as grade,
  array_remove(array[case when r.decided_ranking is not null then 'ranking' end, case when r.decided_score is not null then 'score' end,
                     case when r.decided_grade is not null then 'grade' end], null) as overridden,
  (select coalesce(json_agg(t.name order by t.name), '[]') from tests t where t.school_id = $1 and t.test_id = any(s.test_ids) and t.visible) as tests
from task_students r
join feedback_tasks k on k.school_id = $1 and k.task_id = r.task_id and not k.deleted and k.subject_id = $3
join task_sets s on s.school_id = $1 and s.task_id = r.task_id and s.set_id = r.set_id and s.status = 6
where r.school_id = $1 and r.student_id = $2 and not r.exempt
order by k.created_at desc, k.task_id`;
