import type { ClassHome, Predictors } from '#api/analysis/analysis.contract';
import { ENOUGH_RELIABILITY } from '#api/analysis/items.contract';
import type { OwnTarget } from '#api/analysis/targets.contract';
import { ownTargetsOf } from '#api/analysis/targets.contract';
import { ragOf, topicValue } from '#api/analysis/topics.contract';
import type { Markbook } from '#api/marks/marks.contract';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { Claim, StudentPart } from '../../../ui/reports/student-report.ts';
import { dateTime, oneDecimal } from '../../format.ts';

/** What a report is made of: the answers that the screens of the class show. */
export type Sources = {
  readonly home: ClassHome;
  readonly sheet: Sheet;
  readonly predictors: Predictors;
  readonly markbook: Markbook;
  /** An ISO instant. */
  readonly moment: string;
};
type Completed = ClassHome['completed'][number];

/** The fewest totals of a class that one student is compared with. */
const FEWEST = 5;
/** Points of 100 within which a student is broadly in line with the class. */
const IN_LINE = 15;

/** The reports of students of a class about one assessment. */
export const partsOf = (sources: Sources, students: readonly SheetStudent[]): readonly StudentPart[] =>
  students.map((student) => partOf(sources, student));

const partOf = ({ home, sheet, predictors, markbook, moment }: Sources, student: SheetStudent): StudentPart => {
  const about = home.completed.find(({ testId }) => testId === sheet.testId);
  const hasMarks = student.attendance.value === 'sat' && student.effective.count > 0;
  const claims = hasMarks && about ? claimsOf(about, sheet, student) : { strengths: [], targets: [] };
  return {
    student: student.name ?? 'Forgotten student',
    of: `${home.name} · ${markbook.subject.name}`,
    test: sheet.name,
    moment: `As it stood on ${dateTime(moment)}.`,
    total: totalOf(sheet, student, about),
    questions: hasMarks
      ? sheet.questions.map(({ questionId, number, topic, max }, index) => {
          const mark = student.cells[index]?.value ?? null;
          const own = about?.questions.find((question) => question.questionId === questionId)?.own;
          return {
            number,
            topic,
            mark,
            max,
            band: ragOf(topicValue({ marks: mark ?? 0, available: max }), home.thresholds),
            ofClass: own && own.n > 0 ? (100 * own.sum) / (own.n * max) : null,
          };
        })
      : [],
    noQuestions: hasMarks ? undefined : 'No marks by question are known, so nothing can be said about single questions.',
    ...claims,
    topics: topicsOf(predictors, student.studentId),
    progress: progressOf(markbook, home, student.studentId),
  };
};

const totalOf = (sheet: Sheet, { attendance, staffTotal }: SheetStudent, about: Completed | undefined): readonly string[] => {
  if (attendance.value !== 'sat') return [attendance.value === 'absent' ? 'Absent.' : 'Exempt.'];
  if (staffTotal === null || sheet.max === null || sheet.max === 0) return ['No total is known yet.'];
  const percent = (100 * staffTotal) / sheet.max;
  const mean = about?.average.mean ?? null;
  const all = about?.all.mean ?? null;
  return [
    `Total: ${staffTotal} of ${sheet.max} (${oneDecimal(percent)} %).`,
    mean === null || (about?.average.n ?? 0) < FEWEST
      ? 'Fewer than five students of the class have a total: not compared.'
      : `Class mean: ${oneDecimal(mean)} %${all === null ? '' : `, all students: ${oneDecimal(all)} %`}. This is ${comparison(percent - mean)} the class.`,
  ];
};

const comparison = (difference: number): string =>
  difference > IN_LINE ? 'higher than' : difference < -IN_LINE ? 'lower than' : 'broadly in line with';

const claimsOf = ({ questions, reliability }: Completed, sheet: Sheet, { cells }: SheetStudent) => {
  const asked = questions.map(({ questionId, number, max, all }) => ({
    questionId,
    number,
    max,
    all,
    reliability,
    mark: cells[sheet.questions.findIndex((question) => question.questionId === questionId)]?.value ?? 0,
  }));
  const { strengths, targets } = ownTargetsOf(asked);
  const weak = reliability === null || reliability < ENOUGH_RELIABILITY;
  const claim = ({ questionId, difference }: OwnTarget): Claim => {
    const question = questions.find((one) => one.questionId === questionId);
    return { number: question?.number ?? 0, topic: question?.topic ?? '', difference, weak };
  };
  return { strengths: strengths.map(claim), targets: targets.map(claim) };
};

const topicsOf = ({ topics, of }: Predictors, studentId: string): StudentPart['topics'] => {
  const own = of.find((student) => student.studentId === studentId)?.topics ?? [];
  return topics.flatMap(({ name, predicted }, index) => {
    const topic = own[index];
    return topic && topic.value !== null ? [{ name, value: topic.value, band: topic.rag, predicted }] : [];
  });
};

const progressOf = ({ tests, students }: Markbook, { completed }: ClassHome, studentId: string): StudentPart['progress'] => {
  const totals = students.find((student) => student.studentId === studentId)?.totals ?? [];
  return tests.flatMap(({ testId, name, max }, column) => {
    const total = totals[column]?.total ?? null;
    if (total === null || max === null || max === 0) return [];
    const average = completed.find((one) => one.testId === testId)?.average;
    return [{ test: name, own: (100 * total) / max, ofClass: average && average.n >= FEWEST ? average.mean : null }];
  });
};
