import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../../ui/api/failure.ts';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../../moment.ts';
import { counted } from '../../format.ts';
import { classRows } from '../class/bearing-rows.tsx';
import { BearingTable } from '../figures/BearingTable.tsx';
import { Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, PREDICTED, thresholdsText, useAsOfText, valueText } from '../figures/Facts.tsx';
import { markExplained } from '../figures/OneMark.tsx';

type BreakdownProps = {
  readonly setId: string;
  readonly studentId: string;
  /** What the student is called. */
  readonly student: string;
  readonly schemeTopicId: string;
};

/** The questions on which the value of a student in a topic rests, and why each bears on it. */
export const Breakdown = ({ student, ...of }: BreakdownProps) => {
  const { asOf } = useMoment();
  const breakdown = useQuestion('predictor-questions', of, asOf);
  const explain = useExplain();
  const asOfText = useAsOfText('predictor-questions', of);
  if (isRefused(breakdown.error, 'not-found')) return <Gone what="topic, or this student," />;
  if (breakdown.error) return <Failure error={breakdown.error} retry={() => void breakdown.refetch()} />;
  if (!breakdown.data) return <Skeleton rows={6} label="Loading the breakdown" />;
  const { value, rag, marks, available, predicted, questions, thresholds, prerequisites } = breakdown.data;
  const named = new Map(prerequisites.map(({ topicId, name }) => [topicId, name]));
  return (
    <>
      <Facts
        facts={[
          ['Value', valueText(value, rag, marks, available)],
          ['Colours', thresholdsText(thresholds)],
          ['Rests on', `${counted(questions.length, 'question')}, by the marks that count; a question left out counts 0`],
          ...(predicted ? [PREDICTED] : []),
          asOfText,
        ]}
      />
      <BearingTable
        label={`Questions of ${student} in ${breakdown.data.name}`}
        rows={questions.map(({ testId, test, questionId, number, topic, max, byHand, through, mark, open }) => ({
          questionId,
          test,
          number,
          topic,
          byHand,
          through: through.map((topicId) => named.get(topicId) ?? 'a topic that was removed'),
          marks: mark === null ? `left out, 0 of ${max}` : `${mark} of ${max}`,
          share: (mark ?? 0) / max,
          open,
          onOpen: () =>
            explain(
              markExplained(
                { testId, studentId: of.studentId, questionId },
                student,
                `Q${number} ${topic}, ${test}`,
                `mark of question ${number}`,
              ),
            ),
        }))}
      />
      <p className="small muted">Open a question to see who entered the mark, and when.</p>
    </>
  );
};

type TopicOfClassProps = { readonly setId: string; readonly schemeId: string | undefined; readonly schemeTopicId: string };

/** Which questions bear on a topic, with the marks of the whole class. */
export const TopicOfClass = ({ setId, schemeId, schemeTopicId }: TopicOfClassProps) => {
  const { asOf } = useMoment();
  const ask = { setId, ...(schemeId === undefined ? {} : { schemeId }) };
  const predictors = useQuestion('progress-predictors', ask, asOf);
  const explain = useExplain();
  const asOfText = useAsOfText('progress-predictors', ask);
  if (predictors.error && !predictors.data) return <Failure error={predictors.error} retry={() => void predictors.refetch()} />;
  if (!predictors.data) return <Skeleton rows={6} label="Loading the questions" />;
  const topic = predictors.data.topics.find((one) => one.schemeTopicId === schemeTopicId);
  if (!topic) return <Gone what="topic" />;
  return (
    <>
      <Facts
        facts={[
          ['Class', `${predictors.data.name}, ${counted(predictors.data.students, 'student')}`],
          ['Rests on', counted(topic.questions.length, 'question')],
          ...(topic.predicted && topic.questions.length > 0 ? [PREDICTED] : []),
          asOfText,
        ]}
      />
      {topic.questions.length === 0 ? (
        <p>No question that this class sat bears on it: none is mapped to it by hand, or through its pre-requisites.</p>
      ) : (
        <BearingTable label={`Questions behind ${topic.name}`} rows={classRows(predictors.data, topic.questions, explain)} />
      )}
    </>
  );
};
