import type { Actor } from '../../api/actor.ts';
import { parsePrior } from '../../api/prior/prior-file.contract.ts';
import type { Builder } from './builder.ts';
import { accepted, file } from './builder.ts';
import type { Mathematics } from './mathematics.ts';

/** The exam by which students are ranked. */
export const PRIOR_EXAM = 'Year 9 examination (simulated)';

/** The terminal exams of Mathematics. Their grades are simulated (history/README.md), which their names say. */
const exams = {
  before: { name: PRIOR_EXAM, yearSat: 9 },
  final: { name: 'GCSE Mathematics (simulated)', yearSat: 11 },
} as const;
type Exam = keyof typeof exams;

/** Uploads the grades of a year group in one of the exams, which it sat in this calendar year. Its students must be on roll. */
export type Grades = (by: Actor, exam: Exam, grades: { readonly path: string; readonly yearCompleted: number }) => Promise<void>;

export const terminalExams = async (builder: Builder, admin: Actor, { subjectId }: Mathematics): Promise<Grades> => {
  const ids = new Map<Exam, string | undefined>();
  for (const exam of ['before', 'final'] as const) {
    const { terminalExamId } = await builder.done(admin, `${exam} exam`, 'AddTerminalExam', { subjectId, ...exams[exam] });
    ids.set(exam, terminalExamId);
  }
  return async (by, exam, { path, yearCompleted }) => {
    const chosen = await file(path);
    const rows = accepted(parsePrior(chosen)).rows.map(({ line: _, ...row }) => row);
    const of = { subjectId, terminalExamId: ids.get(exam) };
    await builder.done(by, path, 'UploadPriorScores', { ...of, yearCompleted, fileName: chosen.name, rows });
  };
};
