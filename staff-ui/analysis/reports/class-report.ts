import { AWAY_WORDS } from '#api/contract/attendance';
import type { ClassHome } from '#api/analysis/analysis.contract';
import { markFlags, openFlags } from '#api/contract/flags';
import { FORGOTTEN_STUDENT, toldApart } from '#api/contract/names';
import { againstClass } from '#api/analysis/averages.formula';
import { ragOf, topicValue } from '#api/analysis/topics.formula';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { Cell, Sheet as ExcelSheet } from '../../../ui/file/excel-file.ts';
import { excelFile, markOf } from '../../../ui/file/excel-file.ts';
import { claimText } from '../../../ui/reports/rows.ts';
import { bandOf } from '#api/marks/markbook-view.formula';
import type { ClassSources } from './class-report-about.ts';
import { aboutSheet, heads, hundredths } from './class-report-about.ts';
import { AGAINST_SHORT, claimsOf, FEWEST } from './student-parts.ts';

export const CLASS_FILE = 'ClassReport.xlsx';

/** Marks, questions, topics and students of a class, and about the figures. */
export const classReportFile = (sources: ClassSources): Promise<Blob> =>
  excelFile(`Class report: ${sources.home.name}`, [
    marksSheet(sources),
    questionsSheet(sources),
    topicsSheet(sources),
    studentsSheet(sources),
    aboutSheet(sources),
  ]);

/** The students of the class, each once, by name as the sheets have them. */
const studentsOf = ({ tests, predictors }: ClassSources): readonly Pick<SheetStudent, 'studentId' | 'name' | 'admissionNo'>[] =>
  tests[0]?.sheet.students ?? predictors.of;

const ofStudent = ({ students }: Sheet, studentId: string): SheetStudent | undefined =>
  students.find((student) => student.studentId === studentId);

const marksSheet = (sources: ClassSources): ExcelSheet => ({
  name: 'Marks',
  widths: [12, 30, ...sources.tests.flatMap(({ sheet }) => [...sheet.questions.map(() => 12), 14])],
  frozen: { rows: 1, columns: 2 },
  filters: true,
  rows: [
    heads(
      'StudentID',
      'Name',
      ...sources.tests.flatMap(({ sheet: { name, questions, max } }) => [
        ...questions.map((question) => `${name} Q${question.number} (of ${question.max})`),
        `${name} total${max === null ? '' : ` (of ${max})`}`,
      ]),
    ),
    ...studentsOf(sources).map(({ studentId, name, admissionNo }): readonly Cell[] => [
      admissionNo,
      name ?? FORGOTTEN_STUDENT,
      ...sources.tests.flatMap(({ sheet }) => marksOf(sheet, studentId, sources)),
    ]),
  ],
});

/** A student's marks in a test, and the total; 'A' or 'E' where the student was absent or exempt. */
const marksOf = (sheet: Sheet, studentId: string, { home, markbook }: ClassSources): readonly Cell[] => {
  const student = ofStudent(sheet, studentId);
  if (!student) return [...sheet.questions.map(() => null), null];
  if (student.attendance.value !== 'sat') {
    const away = { value: AWAY_WORDS[student.attendance.value].sign, ...markOf(student.flags) };
    return [...sheet.questions.map(() => null), away];
  }
  const norm = markbook.tests.find(({ testId }) => testId === sheet.testId);
  const fill = norm && bandOf(student.staffTotal, norm);
  return [
    ...sheet.questions.map(({ max }, place): Cell => {
      const cell = student.cells[place] ?? null;
      const value = cell?.value ?? null;
      const band = value === null ? null : ragOf(topicValue({ marks: value, available: max }), home.thresholds);
      return { value, ...(band && { fill: band }), ...markOf(markFlags({ mark: value, max, isContested: cell?.values !== undefined })) };
    }),
    { value: student.staffTotal, ...(fill && { fill }), ...markOf(student.flags) },
  ];
};

const questionsSheet = ({ home, tests }: ClassSources): ExcelSheet => ({
  name: 'Questions',
  widths: [28, 8, 36, 8, 10, 10, 14, 10, 10, 14, 14, 14],
  frozen: { rows: 1, columns: 3 },
  filters: true,
  rows: [
    heads(
      'Assessment',
      'Question',
      'Topic',
      'Marks',
      'Students',
      'Facility',
      'Discrimination',
      'No marks',
      'Full marks',
      'Alpha without it',
      'Facility, all',
      'Reliability',
    ),
    ...tests.flatMap(({ analysis }) => {
      const ofSet = analysis.sets.find(({ setId }) => setId === home.setId);
      const about = home.completed.find(({ testId }) => testId === analysis.testId);
      return analysis.questions.map(({ questionId, number, topic, max, reliability }, place): readonly Cell[] => {
        const figures = ofSet?.questions[place] ?? null;
        const marks = about?.questions.find((one) => one.questionId === questionId)?.own;
        const band = marks && ragOf(topicValue({ marks: marks.sum, available: marks.n * max }), home.thresholds);
        return [
          analysis.name,
          number,
          topic,
          max,
          figures ? (ofSet?.n ?? null) : null,
          { value: figures?.facility ?? null, look: 'hundredths', ...(band && { fill: band }), ...markOf(openFlags(ofSet?.open[place])) },
          hundredths(figures?.discrimination, ofSet?.evidence),
          hundredths(figures?.zero),
          hundredths(figures?.full),
          hundredths(figures?.alphaIfDeleted, ofSet?.evidence),
          hundredths(analysis.all.questions[place]?.facility),
          hundredths(reliability, analysis.all.evidence),
        ];
      });
    }),
  ],
});

const topicsSheet = ({ home, predictors }: ClassSources): ExcelSheet => ({
  name: 'Topics',
  widths: [36, 10, 10, 10, 12, 40, ...predictors.of.map(() => 14)],
  frozen: { rows: 1, columns: 2 },
  filters: true,
  rows: [
    heads(
      'Topic',
      'Class',
      'RAG',
      'Marks',
      'Available',
      'Rests on',
      ...toldApart(predictors.of).map(({ name }) => name ?? FORGOTTEN_STUDENT),
    ),
    ...home.topics.map(({ schemeTopicId, name, value, rag, marks, available, predicted, questions, open }): readonly Cell[] => {
      const place = predictors.topics.findIndex((topic) => topic.schemeTopicId === schemeTopicId);
      return [
        name,
        { value, ...(rag && { fill: rag }), ...markOf(openFlags(open)) },
        rag,
        value === null ? null : marks,
        value === null ? null : available,
        value === null ? 'Nothing was asked yet' : `${predicted ? 'pre-requisites only: ' : ''}${askedIn(home, questions)}`,
        ...predictors.of.map(({ topics }): Cell => {
          const result = topics[place];
          return result ? { value: result.value, ...(result.rag && { fill: result.rag }), ...markOf(openFlags(result.open)) } : null;
        }),
      ];
    }),
  ],
});

/** 'Mock 1 Q1, Q3; Mock 2 Q2' */
const askedIn = ({ tests }: ClassHome, questions: ClassHome['topics'][number]['questions']): string =>
  tests
    .flatMap(({ name, questions: ofTest }) => {
      const numbers = ofTest
        .filter(({ questionId }) => questions.some((one) => one.questionId === questionId))
        .map(({ number }) => `Q${number}`);
      return numbers.length > 0 ? [`${name} ${numbers.join(', ')}`] : [];
    })
    .join('; ');

const studentsSheet = (sources: ClassSources): ExcelSheet => ({
  name: 'Students',
  widths: [12, 30, 28, 10, 10, 16, 60, 60],
  frozen: { rows: 1, columns: 2 },
  filters: true,
  rows: [
    heads('StudentID', 'Name', 'Assessment', 'Total', 'Per cent', 'Beside the class', 'Strengths', 'Targets'),
    ...studentsOf(sources).flatMap(({ studentId, name, admissionNo }) =>
      sources.tests.map(({ sheet }): readonly Cell[] => [
        admissionNo,
        name ?? FORGOTTEN_STUDENT,
        sheet.name,
        ...resultOf(sources, sheet, studentId),
      ]),
    ),
  ],
});

const resultOf = ({ home }: ClassSources, sheet: Sheet, studentId: string): readonly Cell[] => {
  const student = ofStudent(sheet, studentId);
  const about = home.completed.find(({ testId }) => testId === sheet.testId);
  if (!student) return [null, null, null, null, null];
  if (student.attendance.value !== 'sat') return [{ value: student.attendance.value, ...markOf(student.flags) }, null, null, null, null];
  const percent = student.staffTotal === null || !sheet.max ? null : (100 * student.staffTotal) / sheet.max;
  const mean = about && about.average.n >= FEWEST ? about.average.mean : null;
  const { strengths, targets } = about && student.effective.count > 0 ? claimsOf(about, sheet, student) : { strengths: [], targets: [] };
  return [
    { value: student.staffTotal, ...markOf(student.flags) },
    hundredths(percent),
    percent === null || mean === null ? null : AGAINST_SHORT[againstClass(percent, mean)],
    claimsText(strengths),
    claimsText(targets),
  ];
};

/** 'Q1 Fractions +20 points on 2 marks: weak evidence; Q3 Ratio +5 points on 4 marks'; null: none */
const claimsText = (claims: ReturnType<typeof claimsOf>['strengths']): string | null =>
  claims.length === 0 ? null : claims.map(({ number, topic, ...claim }) => `Q${number} ${topic} ${claimText(claim, true)}`).join('; ');
