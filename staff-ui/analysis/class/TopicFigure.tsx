import { AWAYS } from '#api/contract/attendance';
import { counted, fourDecimals } from '../../format.ts';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { BearingTable } from '../figures/BearingTable.tsx';
import { Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, leftOutText, thresholdsText, useStand } from '../figures/Facts.tsx';
import styles from '../figures/Explanations.module.css';
import { classRows, restsOnText } from './bearing-rows.tsx';
import { useClassHome } from './useClassHome.ts';

/** How the value of a class in a topic came about. */
export const TopicFigure = ({ setId, schemeTopicId }: { readonly setId: string; readonly schemeTopicId: string }) => {
  const home = useClassHome(setId);
  const explain = useExplain();
  const stand = useStand('class-home', { setId });
  if (!home.data) return <Skeleton rows={6} label="Loading how the figure came about" />;
  const topic = home.data.topics.find((one) => one.schemeTopicId === schemeTopicId);
  if (!topic) return <Gone what="topic" />;
  const { value, rag, marks, available, predicted, questions } = topic;
  const testIds = new Set(questions.map(({ testId }) => testId));
  const outs = home.data.completed.filter(({ testId }) => testIds.has(testId));
  return (
    <>
      <Facts
        facts={[
          ['Value', value === null ? 'nothing was asked yet' : `${valueText(marks, available, value)}: ${rag ?? 'no colour'}`],
          ['Colours', `${thresholdsText(home.data.thresholds)} (the thresholds of ${home.data.name})`],
          ['Rests on', `${counted(questions.length, 'question')} of ${counted(testIds.size, 'test')}, by the marks that count`],
          ['Students', restsOnText(home.data, questions) ?? 'nobody has a mark yet'],
          ...(predicted
            ? ([['Predicted', 'no question is of the topic itself: the value comes from its pre-requisites alone']] as const)
            : []),
          ['Class', `${home.data.name}, ${counted(home.data.students, 'student')}; a question that somebody left out counts 0`],
          ['Left out', outs.map(({ name, leftOut }) => `${name} – ${leftOutText(leftOut, [...AWAYS, 'no-marks'])}`).join('. ') || 'nobody'],
          stand,
        ]}
      />
      {questions.length > 0 && <BearingTable label={`Questions behind ${topic.name}`} rows={classRows(home.data, questions, explain)} />}
      <p className={styles.note}>Each question counts once. A question opens the marks behind it, and a mark who entered it.</p>
    </>
  );
};

/** '100 × 41 ÷ 58 = 70.6897, cut to 70' */
export const valueText = (marks: number, available: number, value: number): string =>
  `100 × ${marks} ÷ ${available} = ${fourDecimals((100 * marks) / available)}, cut to ${value}`;
