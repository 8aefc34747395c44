import type { Actor } from '../../api/actor.ts';
import { parseQuestions } from '../../api/assessments/questions-file.contract.ts';
import { parseResults } from '../../api/marks/upload/results-file.contract.ts';
import { parseTotals } from '../../api/marks/upload/totals-file.contract.ts';
import type { Builder } from './builder.ts';
import { accepted, file } from './builder.ts';

/** The assessments in the order of their creation. Simulated ones (history/README.md) have that in their name. */
export const papers = {
  autumn: { name: 'Autumn assessment (simulated)', questions: 'history/autumn_assessment.csv' },
  winterHigher: { name: 'Winter assessment, Higher (simulated)', questions: 'history/winter_higher_assessment.csv' },
  winterFoundation: { name: 'Winter assessment, Foundation (simulated)', questions: 'history/winter_foundation_assessment.csv' },
  spring: { name: 'Spring mock (simulated)', questions: 'history/spring_assessment.csv' },
  examination: { name: 'Written examination', questions: 'mathexam/assessment_upload.csv' },
} as const;
export type Paper = keyof typeof papers;

export const createPaper = async (
  { done }: Builder,
  by: Actor,
  { paper, subjectId }: { readonly paper: Paper; readonly subjectId: string },
): Promise<string> => {
  const { name, questions } = papers[paper];
  const { testId = '' } = await done(by, paper, 'CreateAssessment', { subjectId, name });
  const { rows } = accepted(parseQuestions(await file(questions)));
  await done(by, paper, 'UploadQuestions', {
    testId,
    questions: rows.map(({ number, topic, max }) => ({ number, topic, marksAvailable: max })),
  });
  return testId;
};

export type TotalsRow = { readonly admissionNo: string; readonly name: string; readonly totals: readonly (number | null)[] };
export type MarksRow = { readonly admissionNo: string; readonly name: string; readonly marks: readonly (number | null)[] };

export const totalsIn = async (path: string): Promise<readonly TotalsRow[]> =>
  accepted(parseTotals(await file(path))).rows.map(({ admissionNo, name, totals }) => ({ admissionNo, name, totals }));
export const marksIn = async (path: string): Promise<readonly MarksRow[]> =>
  accepted(parseResults(await file(path))).rows.map(({ admissionNo, name, marks }) => ({ admissionNo, name, marks }));

/** The sets, and which students are in them at the moment. */
export class Sets {
  readonly #ids: ReadonlyMap<string, string>;
  readonly #places: Map<string, string>;

  constructor(ids: ReadonlyMap<string, string>, students: readonly { readonly admissionNo: string; readonly set: string }[]) {
    this.#ids = ids;
    this.#places = new Map(students.map(({ admissionNo, set }) => [admissionNo, set]));
  }

  get names(): readonly string[] {
    return [...this.#ids.keys()];
  }
  idsOf(names: readonly string[]): string[] {
    return names.map((name) => this.#ids.get(name) ?? '');
  }
  move(admissionNo: string, set: string): void {
    this.#places.set(admissionNo, set);
  }
  /** The rows of a file that are about students of these sets. */
  rowsOf<Row extends { readonly admissionNo: string }>(names: readonly string[], rows: readonly Row[]): Row[] {
    return rows.filter(({ admissionNo }) => names.includes(this.#places.get(admissionNo) ?? ''));
  }
}
