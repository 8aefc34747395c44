import { reading } from '../../../events/marks/cell.ts';
import type { Actor } from '../../actor.ts';
import { mayWriteSet } from '../../actor.ts';
import { Refused } from '../../common/command.ts';
import type { RunSql } from '../../common/facts.ts';
import { theRow } from '../../common/facts.ts';
import { allowedMarks, allowedTotals, questionsOf } from './uploads.commands.ts';
import type { Plan, PlannedStudent } from './upload.rules.ts';
import { repeats } from './upload.rules.ts';
import type { CellChange, MarksFile, TotalsFile, UploadDoubts, UploadPreview } from './uploads.contract.ts';
import { uploadsQueries } from './uploads.contract.ts';
import { confirmedQuestions } from '../submissions/submission.facts.ts';
import type { MarkFacts } from '../marks.facts.ts';
import { marksFacts, totalsFacts } from '../marks.facts.ts';
import { asPart, cases, studentDoubts } from '../../students/plausible.rules.ts';
import { admissionKey, onRoll } from '../../students/students.facts.ts';
import { otherSums } from './sums.rules.ts';
import { ProblemError } from '../../common/problems.ts';
import { defineQuery } from '../../common/query.ts';

/** What a totals file would change: the plan that UploadTotals carries out. */
export const previewTotals = defineQuery({
  largest: 'upload',
  ...uploadsQueries['preview-totals'],
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  async run(query, input, actor): Promise<UploadPreview> {
    const facts = await totalsFacts.load(query, input, actor);
    const plan = allowed(allowedTotals(input, facts, actor, new Date()));
    return {
      ...shown(plan, facts, input),
      rankings: await rankingsOf(query, plan, input),
      ...asPart(await doubtsOf(query, plan, facts, input, actor)),
    };
  },
});

export const previewMarks = defineQuery({
  largest: 'upload',
  ...uploadsQueries['preview-marks'],
  models: ['structure', 'roster', 'assessments', 'results', 'tasks'],
  async run(query, input, actor): Promise<UploadPreview> {
    const facts = await marksFacts.load(query, input, actor);
    const questionIds = questionsOf(facts, input.testId);
    const plan = allowed(allowedMarks(input, facts, actor, new Date()));
    const confirmed = await confirmedQuestions.load(query, input, actor);
    const preview = shown(plan, facts, input, questionIds, (student) =>
      blanksOf(student, input.testId, questionIds, facts).filter(
        (column) => !confirmed.get(student.student.studentId)?.includes(questionIds[column] ?? ''),
      ),
    );
    return {
      ...preview,
      rankings: await rankingsOf(query, plan, input),
      ...asPart(await doubtsOf(query, plan, facts, input, actor, new Set(input.setIds))),
    };
  },
});

/** @throws ProblemError where the upload itself would be refused */
const allowed = (plan: Plan | Refused): Plan => {
  if (plan instanceof Refused) throw new ProblemError(plan.code, plan.title, { errors: plan.errors });
  return plan;
};

const shown = (
  plan: Plan,
  facts: MarkFacts,
  { satOn }: TotalsFile | MarksFile,
  questionIds: readonly string[] = [],
  blanksIn: (student: PlannedStudent) => readonly number[] = () => [],
): Omit<UploadPreview, 'rankings'> => {
  const counts: Record<CellChange, number> = { equal: 0, new: 0, replaced: 0, contested: 0 };
  const students = plan.students.map((planned) => {
    const blanks = blanksIn(planned);
    return {
      ...planned.student,
      setName: facts.sets.get(planned.student.setId)?.name ?? '',
      cells: planned.cells.map(({ column, is, now, change }) => {
        counts[change] += 1;
        return { column, is, now, change };
      }),
      ...(blanks.length > 0 ? { blanks: { row: planned.row, columns: [...blanks] } } : {}),
    };
  });
  return { students, unmatched: plan.unmatched, counts, repeats: repeats(plan, facts, { satOn }), questionIds };
};

/** How many rankings would show that totals have changed since. A question mark changes no total where one was entered. */
const rankingsOf = async (query: RunSql, plan: Plan, { subjectId, ...file }: TotalsFile | MarksFile): Promise<number> => {
  const changed = plan.students.flatMap(({ student, cells }) =>
    cells.flatMap(({ target, change }) =>
      change === 'new' || change === 'replaced' ? [{ studentId: student.studentId, testId: target.cell.testId }] : [],
    ),
  );
  if (changed.length === 0) return 0;
  const ids = (of: 'studentId' | 'testId') => changed.map((one) => one[of]);
  return theRow(await query<{ rankings: number }>(RANKINGS, [subjectId, ids('studentId'), ids('testId'), 'testId' in file])).rankings;
};

/** $1 school; $2 subject; $3 and $4 students and assessments, cell by cell; $5 the cells are question marks. */
const RANKINGS = `
select count(*)::int4 as rankings
  from feedback_tasks k
 where k.school_id = $1 and k.subject_id = $2 and not k.deleted and k.ranked_at is not null and exists (
   select from json_array_elements(k.ranking -> 'norms' -> 'tests') as n (test)
     join unnest($3::uuid[], $4::uuid[]) as c (student_id, test_id) on c.test_id = (n.test ->> 'testId')::uuid
     join task_students s on s.school_id = $1 and s.task_id = k.task_id and s.student_id = c.student_id
    where not $5 or not exists (
      select from results r
       where r.school_id = $1 and r.test_id = c.test_id and r.student_id = c.student_id and r.kind = 't' and r.mark is not null))`;

/** What looks wrong, in what would be stored. `setIds`: those that the file is for. */
const doubtsOf = async (
  query: RunSql,
  plan: Plan,
  facts: MarkFacts,
  { subjectId, rows, satOn }: TotalsFile | MarksFile,
  actor: Actor,
  setIds?: ReadonlySet<string>,
): Promise<UploadDoubts> => {
  const stored = new Set(repeats(plan, facts, { satOn }) ? [] : plan.students.filter(({ cells }) => cells.length > 0));
  // Nobody learns from it the name of somebody whose marks they may not enter.
  const mayBeMeant = ({ setId }: { readonly setId: string }) => (setIds?.has(setId) ?? true) && mayWriteSet(actor, { setId, subjectId });
  // Somebody of another group, or off roll, is somebody, whose StudentID is right.
  const unknown = plan.unmatched.filter(({ admissionNo, offRoll }) => !offRoll && !facts.byAdmissionKey.has(admissionKey(admissionNo)));
  const candidates = unknown.length > 0 ? (await onRoll(query, subjectId)).filter(mayBeMeant) : [];
  const sums = cases(otherSums([...stored], facts));
  return {
    ...studentDoubts({
      identified: plan.students.map((planned) => ({
        row: { admissionNo: planned.student.admissionNo, name: rows[planned.row]?.name ?? '' },
        student: planned.student,
        isStored: stored.has(planned),
      })),
      unknown,
      candidates,
    }),
    ...(sums && { sums }),
  };
};

/** Columns that would have no mark after the upload, of a student who sat the assessment and would have some. */
const blanksOf = (
  { student: { studentId }, cells }: PlannedStudent,
  testId: string,
  questionIds: readonly string[],
  facts: MarkFacts,
): readonly number[] => {
  const attendance = reading(facts.cell({ kind: 'attendance', testId }, studentId));
  if (attendance.state !== 'empty' && attendance.value !== 'sat') return [];
  const inFile = new Set(cells.map(({ column }) => column));
  const isEmpty = (questionId: string): boolean => {
    const stored = reading(facts.cell({ kind: 'mark', testId, questionId }, studentId));
    return stored.state === 'empty' || stored.value === 'cleared';
  };
  const blanks = questionIds.flatMap((questionId, column) => (!inFile.has(column) && isEmpty(questionId) ? [column] : []));
  return blanks.length === questionIds.length ? [] : blanks;
};
