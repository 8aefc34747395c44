import type { Facts, RunSql } from '../common/facts.ts';
import { admissionKey } from '../students/students.facts.ts';
import { ENOUGH_PRIOR } from './prior-score.contract.ts';

/** What a decision about prior scores depends on: the students whom it names. */
export type PriorFacts = {
  /** Those on roll in a set of the subject, by id. */
  readonly students: ReadonlyMap<string, PriorStudent>;
  /** The same, by the school's StudentID, normalised. */
  readonly byAdmissionKey: ReadonlyMap<string, PriorStudent>;
};
export type PriorStudent = { readonly studentId: string; readonly admissionNo: string; readonly name: string; readonly setName: string };

/** SQL: all terminal exams, removed ones too: a ranking names the one that it was made by. */
export const EVERY_EXAM = '(select * from terminal_exams union all select * from deleted_terminal_exams)';

/** SQL, bool: `isEnoughPrior`. Both are SQL, of counts. */
export const enoughPrior = (scores: string, students: string): string =>
  `coalesce((${scores}) * 100 >= nullif(${students}, 0) * ${ENOUGH_PRIOR}, false)`;

type Exam = { readonly subjectId: string; readonly terminalExamId: string };

export const priorModels = ['structure', 'roster'] as const;

export const ofFile: Facts<Exam & { readonly rows: readonly { readonly admissionNo: string }[] }, PriorFacts> = {
  models: priorModels,
  waits: true,
  load: (query, { rows, subjectId }) =>
    priorFacts(
      query,
      subjectId,
      rows.map(({ admissionNo }) => admissionKey(admissionNo)),
      [],
    ),
};

export const ofStudents: Facts<Exam & { readonly scores: readonly { readonly studentId: string }[] }, PriorFacts> = {
  models: priorModels,
  waits: true,
  load: (query, { scores, subjectId }) =>
    priorFacts(
      query,
      subjectId,
      [],
      scores.map(({ studentId }) => studentId),
    ),
};

/** How many rankings rest on the exam. */
export type PriorUndoFacts = { readonly rankings: number };

export const ofUndo: Facts<Exam, PriorUndoFacts> = {
  models: ['tasks'],
  waits: true,
  load: async (query, exam) => {
    const [ranked] = await query<{ rankings: number }>(
      `select count(*)::int4 as rankings from feedback_tasks
        where school_id = $1 and subject_id = $2 and not deleted and ranked_at is not null and (ranking ->> 'terminalExamId')::uuid = $3`,
      [exam.subjectId, exam.terminalExamId],
    );
    return { rankings: ranked?.rankings ?? 0 };
  },
};

const priorFacts = async (
  query: RunSql,
  subjectId: string,
  admissionKeys: readonly string[],
  studentIds: readonly string[],
): Promise<PriorFacts> => {
  const [read] = await query<{ students: readonly PriorStudent[] }>(PRIOR_FACTS, [
    subjectId,
    [...new Set(admissionKeys)],
    [...new Set(studentIds)],
  ]);
  const students = read?.students ?? [];
  return {
    students: new Map(students.map((student) => [student.studentId, student])),
    byAdmissionKey: new Map(students.map((student) => [admissionKey(student.admissionNo), student])),
  };
};

const PRIOR_FACTS = `
  select
    (select coalesce(json_agg(json_build_object('studentId', s.student_id, 'admissionNo', coalesce(s.admission_no, ''),
              'name', coalesce(s.name, 'A forgotten student'), 'setName', t.name)), '[]')
       from students s
       join enrolments e on e.school_id = $1 and e.student_id = s.student_id and e.subject_id = $2
       join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
      where s.school_id = $1 and (s.admission_key = any($3::text[]) or s.student_id = any($4::uuid[]))) as students`;
