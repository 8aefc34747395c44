import type { Facts } from '../common/facts.ts';
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

/** The students whom an input names, by StudentID or by id. */
const factsOf = <Input extends Exam>(
  named: (input: Input) => { readonly admissionNos?: readonly string[]; readonly studentIds?: readonly string[] },
): Facts<Input, PriorFacts> => ({
  models: priorModels,
  waits: true,
  async load(query, input) {
    const { admissionNos = [], studentIds = [] } = named(input);
    const students = await query<PriorStudent>(STUDENTS, [
      input.subjectId,
      [...new Set(admissionNos.map(admissionKey))],
      [...new Set(studentIds)],
    ]);
    return {
      students: new Map(students.map((student) => [student.studentId, student])),
      byAdmissionKey: new Map(students.map((student) => [admissionKey(student.admissionNo), student])),
    };
  },
});

/** $1 school; $2 subject; $3 StudentIDs, normalised; $4 students. */
const STUDENTS = `
select s.student_id as "studentId", coalesce(s.admission_no, '') as "admissionNo", coalesce(s.name, 'A forgotten student') as name,
  t.name as "setName"
from students s
join enrolments e on e.school_id = $1 and e.student_id = s.student_id and e.subject_id = $2
join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
where s.school_id = $1 and (s.admission_key = any($3::text[]) or s.student_id = any($4::uuid[]))`;

export const ofFile = factsOf<Exam & { readonly rows: readonly { readonly admissionNo: string }[] }>(({ rows }) => ({
  admissionNos: rows.map(({ admissionNo }) => admissionNo),
}));
export const ofStudents = factsOf<Exam & { readonly scores: readonly { readonly studentId: string }[] }>(({ scores }) => ({
  studentIds: scores.map(({ studentId }) => studentId),
}));

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
