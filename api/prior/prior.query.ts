import type { PriorStatement } from '../../events/prior/prior.ts';
import { countingStatement } from '../../events/prior/prior.ts';
import { Refused } from '../common/command.ts';
import type { RunSql } from '../common/facts.ts';
import { theRow } from '../common/facts.ts';
import { inOrder } from '../common/in-order.ts';
import { defineQuery } from '../common/query.ts';
import { ProblemError } from '../common/problems.ts';
import { asPart, studentDoubts } from '../students/plausible.rules.ts';
import { admissionKey, onRoll } from '../students/students.facts.ts';
import type { PriorPreview, PriorScores, PriorSummary, PriorUploads } from './prior.contract.ts';
import { priorQueries } from './prior.contract.ts';
import { ofFile, priorModels } from './prior.facts.ts';
import type { Score } from './prior.rules.ts';
import { changeOf, planFile } from './prior.rules.ts';
import { isEnoughPrior, scoreType } from './prior-score.contract.ts';

/** How much of a year group each terminal exam covers. */
export const priorSummary = defineQuery({
  ...priorQueries['prior-summary'],
  models: ['structure', 'roster', 'prior'],
  async run(query, { subjectId, yearGroupId }): Promise<PriorSummary> {
    const { year, students, exams } = theRow(await query<ReadSummary>(SUMMARY, [subjectId, yearGroupId]));
    return {
      yearGroupId,
      year,
      students,
      exams: exams.map(({ letters, ...exam }) => ({
        ...exam,
        ratio: students === 0 ? 0 : exam.scores / students,
        enough: isEnoughPrior(exam.scores, students),
        type:
          exam.scores === 0
            ? null
            : letters === 0
              ? ('number' as const)
              : letters === exam.scores
                ? ('letter' as const)
                : ('mixed' as const),
      })),
    };
  },
});

type ReadExam = Omit<PriorSummary['exams'][number], 'ratio' | 'enough' | 'type'> & { readonly letters: number };
type ReadSummary = { readonly year: number; readonly students: number; readonly exams: readonly ReadExam[] };

/** The scores of a year group in one exam. */
export const priorScores = defineQuery({
  ...priorQueries['prior-scores'],
  models: ['structure', 'roster', 'prior'],
  async run(query, { subjectId, terminalExamId, yearGroupId }): Promise<PriorScores> {
    const { name } = theRow(await query<{ name: string }>(EXAM, [terminalExamId]));
    const rows = await query<ReadScore>(SCORES, [subjectId, yearGroupId, terminalExamId]);
    const students = rows.map(({ statements, ...student }) => {
      const byYear = [...Map.groupBy(statements ?? [], ({ yearCompleted }) => yearCompleted)].toSorted(([a], [b]) => b - a);
      const [now = null, ...earlier] = byYear.flatMap(([yearCompleted, ofYear]): Score[] => {
        const score = countingStatement(ofYear)?.score;
        return score === undefined ? [] : [{ score, yearCompleted }];
      });
      return { ...student, now, earlier };
    });
    return { terminalExamId, name, students };
  },
});

type ReadScore = Omit<PriorScores['students'][number], 'now' | 'earlier'> & { readonly statements: readonly PriorStatement[] | null };

/** Who uploaded or typed what, newest first. */
export const priorUploads = defineQuery({
  ...priorQueries['prior-uploads'],
  models: ['structure', 'prior', 'accounts'],
  run: async (query, { terminalExamId }): Promise<PriorUploads> => ({
    uploads: await query<PriorUploads['uploads'][number]>(UPLOADS, [terminalExamId]),
  }),
});

/** What a file would change: the plan that UploadPriorScores carries out. */
export const previewPrior = defineQuery({
  largest: 'upload',
  ...priorQueries['preview-prior'],
  models: [...priorModels, 'prior'],
  async run(query, input, actor): Promise<PriorPreview> {
    const facts = await ofFile.load(query, input, actor);
    const plan = planFile(input, facts);
    if (plan instanceof Refused) throw new ProblemError(plan.code, plan.title, { errors: plan.errors });
    const { terminalExamId, yearCompleted } = input;
    const rows = await query<{ studentId: string } & Score>(NOW, [terminalExamId, plan.scores.map(({ student }) => student.studentId)]);
    const stands = new Map(rows.map(({ studentId, ...score }) => [studentId, score]));
    const counts = { new: 0, equal: 0, replaced: 0, earlier: 0 };
    const students = plan.scores.map(({ student, score }) => {
      const now = stands.get(student.studentId);
      const change = changeOf(score, yearCompleted, now);
      counts[change] += 1;
      return { ...student, score, now: now ?? null, change };
    });
    const { unmatched } = plan;
    const mixed = await kindsThen(query, terminalExamId, students);
    const doubts = studentDoubts({
      identified: input.rows.flatMap((row) => {
        const student = facts.byAdmissionKey.get(admissionKey(row.admissionNo));
        return student ? [{ row, student, isStored: true }] : [];
      }),
      unknown: unmatched,
      candidates: unmatched.length > 0 ? await onRoll(query, input.subjectId) : [],
    });
    return { students, unmatched: [...unmatched], counts, ...(mixed && { mixed }), ...asPart(doubts) };
  },
});

/** Letters and numbers in the exam once the file is stored; undefined: all are of one kind. */
const kindsThen = async (query: RunSql, terminalExamId: string, students: PriorPreview['students']) => {
  const brought = students.filter(({ change }) => change !== 'earlier');
  const [kept] = await query<{ letters: number; scores: number }>(KEPT, [terminalExamId, brought.map(({ studentId }) => studentId)]);
  const letters = (kept?.letters ?? 0) + brought.filter(({ score }) => scoreType(score) === 'letter').length;
  const numbers = (kept?.scores ?? 0) + brought.length - letters;
  return letters > 0 && numbers > 0 ? { letters, numbers } : undefined;
};

const EXAM = `select name from terminal_exams where school_id = $1 and terminal_exam_id = $2`;

/** $1 school; $2 subject; $3 year group. */
const SUMMARY = `
with student as materialized (
  select e.student_id
  from sets t join enrolments e on e.school_id = $1 and e.set_id = t.set_id
  where t.school_id = $1 and t.subject_id = $2 and t.year_group_id = $3 and not t.deleted
)
select y.year, (select count(*)::int4 from student) as students,
  (select coalesce(json_agg(json_build_object('terminalExamId', x.terminal_exam_id, 'name', x.name, 'yearSat', x.year_sat,
            'scores', p.scores, 'letters', p.letters) order by x.year_sat, ${inOrder('x.name')}), '[]')
     from terminal_exams x
     cross join lateral (
       select count(*)::int4 as scores, (count(*) filter (where p.score !~ '^[-0-9]'))::int4 as letters
       from student s join prior_scores p on p.school_id = $1 and p.terminal_exam_id = x.terminal_exam_id and p.student_id = s.student_id
       where p.score is not null) p
    where x.school_id = $1 and x.subject_id = $2) as exams
from year_groups y
where y.school_id = $1 and y.subject_id = $2 and y.year_group_id = $3`;

/** $1 school; $2 subject; $3 year group; $4 exam. */
const SCORES = `
select e.student_id as "studentId", s.admission_no as "admissionNo", s.name, t.set_id as "setId", t.name as "setName", p.said as statements
from sets t
join enrolments e on e.school_id = $1 and e.set_id = t.set_id
left join students s on s.school_id = $1 and s.student_id = e.student_id
left join prior_scores p on p.school_id = $1 and p.terminal_exam_id = $4 and p.student_id = e.student_id
where t.school_id = $1 and t.subject_id = $2 and t.year_group_id = $3 and not t.deleted
order by ${inOrder('s.name')}, e.student_id`;

const UPLOADS = `
select u.command_id as "commandId", u.kind, u.file_name as "fileName", u.year_completed as "yearCompleted",
  cardinality(u.student_ids) as scores, to_json(u.at) #>> '{}' as at, a.name as by, u.undone
from prior_uploads u
left join accounts a on a.school_id = $1 and a.account_id = u.account_id
where u.school_id = $1 and u.terminal_exam_id = $2
order by u.position desc
limit 100`;

/** $1 school; $2 exam; $3 students whose scores are replaced. */
const KEPT = `
select (count(*) filter (where score ~* '^[a-gu]'))::int4 as letters, count(*)::int4 as scores
from prior_scores
where school_id = $1 and terminal_exam_id = $2 and score is not null and student_id <> all($3::uuid[])`;

const NOW = `
select student_id as "studentId", score, year_completed as "yearCompleted"
from prior_scores
where school_id = $1 and terminal_exam_id = $2 and student_id = any($3::uuid[]) and score is not null`;
