import type { ClassHome } from '#api/analysis/analysis.contract';
import { counted } from '../../format.ts';
import type { Explanation } from '../figures/Explanations.tsx';
import type { BearingRow } from '../figures/BearingTable.tsx';
import { ClassQuestion } from '../figures/ClassMarks.tsx';
import type { Topic } from './useClassHome.ts';

type Of = Pick<ClassHome, 'setId' | 'tests' | 'prerequisites'>;

/** The questions of a class that bear on a topic; each opens the marks behind it. */
export const classRows = (
  { setId, tests, prerequisites }: Of,
  questions: Topic['questions'],
  explain: (explanation: Explanation) => void,
): readonly BearingRow[] => {
  const names = new Map(prerequisites.map(({ topicId, name }) => [topicId, name]));
  return questions.flatMap(({ testId, questionId, byHand, through, marks, available, open }): BearingRow[] => {
    const test = tests.find((one) => one.testId === testId);
    const question = test?.questions.find((one) => one.questionId === questionId);
    if (!test || !question) return [];
    return [
      {
        questionId,
        test: test.name,
        number: question.number,
        topic: question.topic,
        byHand,
        through: through.map((topicId) => names.get(topicId) ?? 'a topic that was removed'),
        marks: `${marks} of ${available}`,
        share: available === 0 ? null : marks / available,
        open,
        onOpen: () => explain(questionOf({ setId, testId, test: test.name, ...question })),
      },
    ];
  });
};

/** 'marks of 15 of 30 students', 'marks of 12 to 15 of 30 students'; undefined: nothing was asked. */
export const restsOnText = (
  { tests, students }: Pick<ClassHome, 'tests' | 'students'>,
  questions: Topic['questions'],
): string | undefined => {
  const maxima = new Map(tests.flatMap((test) => test.questions.map(({ questionId, max }) => [questionId, max])));
  const counts = questions.flatMap(({ questionId, available }) => available / (maxima.get(questionId) ?? Infinity) || []);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return counts.length === 0 ? undefined : `marks of ${least === most ? '' : `${least} to `}${most} of ${counted(students, 'student')}`;
};

type Question = Omit<ClassHome['tests'][number]['questions'][number], 'max'> & {
  readonly setId: string;
  readonly testId: string;
  readonly test: string;
};

/** The marks of a class in a question, as an explanation. */
export const questionOf = ({ setId, testId, test, questionId, number, topic }: Question): Explanation => ({
  id: `question ${questionId}`,
  title: `Q${number} ${topic} – ${test}`,
  body: <ClassQuestion setId={setId} testId={testId} questionId={questionId} />,
});
