import { questionColumns } from './assessments/questions-file.contract.ts';
import { priorColumns } from './prior/prior-file.contract.ts';
import { resultsColumns } from './marks/upload/results-file.contract.ts';
import { schemeColumns } from './school/scheme-file.contract.ts';
import { studentColumns } from './students/students-file.contract.ts';
import { topicTreeColumns } from './assessments/mapping/topics-file.contract.ts';
import { totalsColumns } from './marks/upload/totals-file.contract.ts';
import type { CsvCell } from './contract/csv/write.ts';
import { csvText } from './contract/csv/write.ts';

const templates = {
  totals: { fileName: 'totals_upload.csv', columns: totalsColumns },
  results: { fileName: 'results_upload.csv', columns: resultsColumns },
  prior: { fileName: 'prior_upload.csv', columns: priorColumns },
  students: { fileName: 'student_upload.csv', columns: studentColumns },
  questions: { fileName: 'assessment_upload.csv', columns: questionColumns },
  scheme: { fileName: 'sow_upload.csv', columns: schemeColumns },
  topicTree: { fileName: 'topic_tree.csv', columns: topicTreeColumns },
} as const;

export type TemplateKind = keyof typeof templates;

/** Under which name the template is offered. */
export const templateName = (kind: TemplateKind): string => templates[kind].fileName;

/** The text of a template file: its header line, and rows filled in beforehand if there are any (a class list, say). */
export const template = (kind: TemplateKind, rows: readonly (readonly CsvCell[])[] = []): string => csvText(templates[kind].columns, rows);
