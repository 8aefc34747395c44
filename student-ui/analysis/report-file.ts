import type { Me } from '#api/accounts/accounts.contract';
import type { StudentCard, StudentHome, StudentTopics } from '#api/analysis/student/student.contract';
import type { RevisionList } from '#api/revision-lists/revision-lists.contract';
import { saveFile } from '../../ui/file/save-file.ts';
import { FEEDBACK_FILE, feedbackSheetFile } from '../../ui/reports/feedback-sheet.ts';
import { stoodOn } from '../../ui/reports/pages.ts';
import { paperOf } from '../../ui/reports/paper.ts';
import { readFont } from '../../ui/reports/read-font.ts';
import type { StudentPart } from '../../ui/reports/student-report.ts';
import { STUDENT_FILE, studentReportFile } from '../../ui/reports/student-report.ts';

/** What the student's own pages show. Of others there are whole per cents only. */
export type OwnSources = {
  readonly student: string;
  readonly home: StudentHome;
  readonly card: StudentCard;
  readonly list: RevisionList;
  readonly topics: StudentTopics;
};

/** Makes the report on this device and saves it. Resolves to the letters that cannot be printed. */
export const saveReport = async (kind: 'student' | 'feedback', { school, ...sources }: OwnSources & { readonly school: Me['school'] }) => {
  const created = new Date();
  const options = { school: school.name, words: school.reports, paper: paperOf(navigator.language), created, font: readFont };
  const part = ownPart(sources, created);
  const { file, unprintable } =
    kind === 'student'
      ? await studentReportFile({ ...options, parts: [part] })
      : await feedbackSheetFile({ ...options, parts: [{ ...part, headers: headersOf(sources.list) }] });
  saveFile(kind === 'student' ? STUDENT_FILE : FEEDBACK_FILE, file, 'application/pdf');
  return unprintable;
};

const headersOf = ({ headers }: RevisionList) =>
  headers.map(({ name, questions }) => ({ name, topics: questions.map(({ number, topic, text }) => ({ number, topic: text ?? topic })) }));

export const ownPart = ({ student, home, card, topics }: OwnSources, now: Date): StudentPart => ({
  student,
  of: [home.set?.name, home.subject].filter((text) => text !== undefined).join(' · '),
  test: card.name,
  moment: stoodOn(now),
  ...totalOf(card),
  flags: card.flags,
  average: 'all' as const,
  questions: card.questions.map(({ number, topic, mark, flags, max, rag, average }) => ({
    number,
    topic,
    mark,
    flags,
    max,
    band: rag,
    ofClass: average === null ? null : `${average} %`,
  })),
  noQuestions: card.questions.length > 0 ? undefined : 'No marks by question are known, so nothing can be said about single questions.',
  strengths: card.strengths.map((claim) => claimOf(card, claim)),
  targets: card.targets.map((claim) => claimOf(card, claim)),
  topics: topics.topics.flatMap(({ name, value, rag, predictedFrom }) =>
    value === null ? [] : [{ name, value, band: rag, estimatedFrom: predictedFrom.join(', ') }],
  ),
  progress: home.tests
    .toReversed()
    .flatMap(({ name, percent, flags, classPercent }) =>
      percent === null
        ? []
        : [{ test: name, own: `${percent.toFixed(1)} %`, flags, ofClass: classPercent === null ? null : `${classPercent} %` }],
    ),
});

const totalOf = ({ attendance, total, max, percent, classPercent, against }: StudentCard): Pick<StudentPart, 'total' | 'comparison'> => {
  if (attendance !== 'sat') return { total: [attendance === 'absent' ? 'Absent.' : 'Exempt.'] };
  if (percent === null) return { total: ['No total is known yet.'] };
  return {
    total: [`Total: ${total} of ${max} (${percent.toFixed(1)} %).`],
    comparison:
      classPercent === null || against === null
        ? 'Fewer than five students of the class have a total: not compared.'
        : `This is ${AGAINST[against]} the class, whose average is about ${classPercent} %.`,
  };
};

const AGAINST = { higher: 'higher than', lower: 'lower than', 'in line': 'broadly in line with' } as const;

const claimOf = ({ questions }: StudentCard, { questionId, difference, weak }: StudentCard['strengths'][number]) => {
  const question = questions.find((one) => one.questionId === questionId);
  return { number: question?.number ?? 0, topic: question?.topic ?? '', max: question?.max ?? 0, difference, weak: weak ?? true };
};
