import { AWAY_WORDS } from '#api/contract/attendance';
import type { ClassHome, Predictors } from '#api/analysis/analysis.contract';
import { againstClass } from '#api/analysis/averages.formula';
import { ENOUGH_RELIABILITY } from '#api/analysis/items.formula';
import type { OwnTarget } from '#api/analysis/targets.formula';
import { ownTargetsOf } from '#api/analysis/targets.formula';
import { ragOf, topicValue } from '#api/analysis/topics.formula';
import { markFlags } from '#api/contract/flags';
import { FORGOTTEN_STUDENT, ofStudent } from '#api/contract/names';
import type { Markbook } from '#api/marks/marks.contract';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { RevisionList } from '#api/revision-lists/revision-lists.contract';
import type { FeedbackPart } from '../../../ui/reports/feedback-sheet.ts';
import { stoodOn } from '../../../ui/reports/pages.ts';
import type { Claim, StudentPart } from '../../../ui/reports/student-report.ts';
import { oneDecimal } from '../../format.ts';

/** What a report is made of: the answers that the screens of the class show. */
export type Sources = {
  readonly home: ClassHome;
  readonly sheet: Sheet;
  readonly predictors: Predictors;
  readonly markbook: Markbook;
  readonly list: RevisionList;
  /** An ISO instant. */
  readonly moment: string;
};
type Completed = ClassHome['completed'][number];

/** The fewest totals of a class that one student is compared with. */
export const FEWEST = 5;

/** The report of a student of a class about one assessment. */
export const partOf = ({ home, sheet, predictors, markbook, moment }: Sources, student: SheetStudent): StudentPart => {
  const about = home.completed.find(({ testId }) => testId === sheet.testId);
  const hasMarks = student.attendance.value === 'sat' && student.effective.count > 0;
  const claims = hasMarks && about ? claimsOf(about, sheet, student) : { strengths: [], targets: [] };
  return {
    student: student.name ?? FORGOTTEN_STUDENT,
    of: `${ofStudent(home, student)} · ${markbook.subject.name}`,
    test: sheet.name,
    moment: stoodOn(new Date(moment)),
    ...totalOf(sheet, student, about),
    flags: student.flags,
    questions: hasMarks
      ? sheet.questions.map(({ questionId, number, topic, max }, index) => {
          const cell = student.cells[index];
          const mark = cell?.value ?? null;
          const ofSet = about?.questions.find((question) => question.questionId === questionId)?.own;
          return {
            number,
            topic,
            mark,
            flags: markFlags({ mark, max, isContested: cell?.values !== undefined }),
            max,
            // Left out counts 0; what nobody of the class has a mark for was not asked.
            band: mark === null && !ofSet ? null : ragOf(topicValue({ marks: mark ?? 0, available: max }), home.thresholds),
            ofClass: ofSet && ofSet.n > 0 ? `${((100 * ofSet.sum) / (ofSet.n * max)).toFixed(0)} %` : null,
          };
        })
      : [],
    ...claims,
    topics: topicsOf(predictors, student.studentId),
    progress: progressOf(markbook, home, student.studentId),
  };
};

/** The feedback sheet of a student of a class: an assessment, and its revision list. */
export const feedbackOf = (sources: Sources, student: SheetStudent): FeedbackPart => ({
  ...partOf(sources, student),
  headers: sources.list.headers,
});

const totalOf = (
  sheet: Sheet,
  { attendance, staffTotal }: SheetStudent,
  about: Completed | undefined,
): Pick<StudentPart, 'total' | 'comparison'> => {
  if (attendance.value !== 'sat') return { total: [`${AWAY_WORDS[attendance.value].label}.`] };
  if (staffTotal === null || sheet.max === null || sheet.max === 0) return { total: ['No total is known yet.'] };
  const percent = (100 * staffTotal) / sheet.max;
  const mean = about?.average.mean ?? null;
  const all = about?.all.mean ?? null;
  return {
    total: [`Total: ${staffTotal} of ${sheet.max} (${oneDecimal(percent)} %).`],
    comparison:
      mean === null || (about?.average.n ?? 0) < FEWEST
        ? 'Fewer than five students of the class have a total: not compared.'
        : `Class mean: ${oneDecimal(mean)} %${all === null ? '' : `, all students: ${oneDecimal(all)} %`}. This is ${AGAINST[againstClass(percent, mean)]} the class.`,
  };
};

export const AGAINST_SHORT = { higher: 'higher', lower: 'lower', 'in line': 'broadly in line' } as const;
const AGAINST = { higher: 'higher than', lower: 'lower than', 'in line': 'broadly in line with' } as const;

export const claimsOf = ({ questions }: Completed, sheet: Sheet, { cells }: SheetStudent) => {
  const compared = questions.map(({ questionId, number, max, all }) => ({
    questionId,
    number,
    max,
    all,
    mark: cells[sheet.questions.findIndex((question) => question.questionId === questionId)]?.value ?? 0,
  }));
  const { strengths, targets } = ownTargetsOf(compared);
  const claim = ({ questionId, difference }: OwnTarget): Claim => {
    const question = questions.find((one) => one.questionId === questionId);
    const reliability = question?.reliability ?? null;
    return {
      number: question?.number ?? 0,
      topic: question?.topic ?? '',
      difference: 100 * difference,
      max: question?.max ?? 0,
      weak: reliability === null || reliability < ENOUGH_RELIABILITY,
    };
  };
  return { strengths: strengths.map(claim), targets: targets.map(claim) };
};

const topicsOf = ({ topics, of, prerequisites }: Predictors, studentId: string): StudentPart['topics'] => {
  const names = new Map(prerequisites.map(({ topicId, name }) => [topicId, name]));
  const results = of.find((student) => student.studentId === studentId)?.topics ?? [];
  return topics.flatMap(({ name, predicted, questions }, index) => {
    const topic = results[index];
    const through = new Set(questions.flatMap((question) => question.through));
    const estimatedFrom = predicted ? [...through].flatMap((topicId) => names.get(topicId) ?? []).join(', ') : '';
    return topic && topic.value !== null ? [{ name, value: topic.value, band: topic.rag, estimatedFrom }] : [];
  });
};

const progressOf = ({ tests, students }: Markbook, { completed }: ClassHome, studentId: string): StudentPart['progress'] => {
  const totals = students.find((student) => student.studentId === studentId)?.totals ?? [];
  return tests.flatMap(({ testId, name, max }, column) => {
    const { total = null, flags } = totals[column] ?? {};
    if (total === null || max === null || max === 0) return [];
    const average = completed.find((one) => one.testId === testId)?.average;
    const mean = average && average.n >= FEWEST ? average.mean : null;
    return [{ test: name, total: `${oneDecimal((100 * total) / max)} %`, flags, ofClass: mean === null ? null : `${oneDecimal(mean)} %` }];
  });
};
