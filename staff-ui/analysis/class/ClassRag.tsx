import { AWAYS } from '#api/contract/attendance';
import type { ClassHome } from '#api/analysis/analysis.contract';
import { useState } from 'react';
import { Link } from 'wouter';
import { buttonClass, Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import { counted } from '../../format.ts';
import { useJustChanged } from '../../shell/useJustChanged.ts';
import { BearingTable } from '../figures/BearingTable.tsx';
import { Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, leftOutText, PREDICTED, thresholdsText, useAsOfText, valueText } from '../figures/Facts.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import { Rag, RagLegend } from '../figures/Rag.tsx';
import styles from './ClassRag.module.css';
import { classRows, restsOnText } from './bearing-rows.tsx';
import type { Topic } from './useClassHome.ts';
import { useClassHome } from './useClassHome.ts';

/** So many topics are shown at once; of more, the others on request. */
const MOST = 30;

type ClassRagProps = { readonly setId: string; readonly predictors: string };

/** How the class stands in each topic of its scheme of work. `predictors`: where the same is shown by student. */
export const ClassRag = ({ setId, predictors }: ClassRagProps) => {
  const home = useClassHome(setId);
  return (
    <Section
      title="Class RAG"
      aside={
        <Link className={buttonClass('plain')} to={predictors}>
          Progress predictors
        </Link>
      }
    >
      {home.error && !home.data && <Failure error={home.error} retry={() => void home.refetch()} />}
      {home.isPending && <Skeleton rows={3} label="Loading the topics" />}
      {home.data &&
        (home.data.scheme === null ? <NoScheme name={home.data.name} /> : <Topics home={home.data} scheme={home.data.scheme.name} />)}
    </Section>
  );
};

const Topics = ({ home, scheme }: { readonly home: ClassHome; readonly scheme: string }) => {
  const [isAll, setAll] = useState(false);
  const { topics } = home;
  if (topics.length === 0)
    return (
      <EmptyState title={`${scheme} has no topics yet`}>
        An admin of your school adds the topics of the scheme of work; they turn green, amber or red as their questions are marked.
      </EmptyState>
    );
  const withValue = topics.filter(({ value }) => value !== null).length;
  return (
    <div className={`stack own-width gap-3 ${styles.rag}`}>
      <p className="small muted">
        {scheme}: {withValue} of {counted(topics.length, 'topic')} asked.
        {withValue === 0 && ' A topic has a value once a question that is mapped to it, or to one of its pre-requisites, has been marked.'}
      </p>
      <ul className={styles.topics} aria-label="Topics of the class">
        {(isAll ? topics : topics.slice(0, MOST)).map((topic) => (
          <OneTopic key={topic.schemeTopicId} topic={topic} home={home} />
        ))}
      </ul>
      {topics.length > MOST && !isAll && (
        <Button look="plain" onClick={() => setAll(true)}>
          Show all {topics.length} topics
        </Button>
      )}
      <RagLegend {...home.thresholds} />
    </div>
  );
};

const OneTopic = ({ topic, home }: { readonly topic: Topic; readonly home: ClassHome }) => {
  const { schemeTopicId, name, value, rag, predicted, questions, open } = topic;
  const explain = useExplain();
  const isNew = useJustChanged(`${value}`);
  const act = () =>
    explain({
      id: `topic ${schemeTopicId}`,
      title: `${name} – how it came about`,
      body: <TopicFigure setId={home.setId} schemeTopicId={schemeTopicId} />,
    });
  return (
    <li className={styles.topic} data-changed={isNew || undefined}>
      <button type="button" className="pick line" onClick={act} title="How it came about">
        <Rag value={value} rag={rag} />
        <span className={`grow breaks ${styles.name}`}>
          {name}
          <small className="tiny muted">
            {value === null
              ? 'not asked yet'
              : predicted
                ? `predicted from ${counted(questions.length, 'question')}`
                : counted(questions.length, 'question')}
            {value !== null && `, ${restsOnText(home, questions)}`}
          </small>
        </span>
      </button>
      <OpenFlag open={open} of={name} onDecide={act} />
    </li>
  );
};

/** How the value of a class in a topic came about. */
const TopicFigure = ({ setId, schemeTopicId }: { readonly setId: string; readonly schemeTopicId: string }) => {
  const home = useClassHome(setId);
  const explain = useExplain();
  const asOfText = useAsOfText('class-home', { setId });
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
          ['Value', valueText(value, rag, marks, available)],
          ['Colours', `${thresholdsText(home.data.thresholds)} (the thresholds of ${home.data.name})`],
          ['Rests on', `${counted(questions.length, 'question')} of ${counted(testIds.size, 'test')}, by the marks that count`],
          ['Students', restsOnText(home.data, questions) ?? 'nobody has a mark yet'],
          ...(predicted ? [PREDICTED] : []),
          ['Class', `${home.data.name}, ${counted(home.data.students, 'student')}; a question that somebody left out counts 0`],
          ['Left out', outs.map(({ name, leftOut }) => `${name} – ${leftOutText(leftOut, [...AWAYS, 'no-marks'])}`).join('. ') || 'nobody'],
          asOfText,
        ]}
      />
      {questions.length > 0 && <BearingTable label={`Questions behind ${topic.name}`} rows={classRows(home.data, questions, explain)} />}
      <p className="small muted">Each question counts once. Open a question to see its marks, and a mark to see who entered it.</p>
    </>
  );
};

const NoScheme = ({ name }: { readonly name: string }) => (
  <EmptyState title="No scheme of work">
    The scheme of work of {name} was deleted. An admin of your school can restore it, or give the class another one.
  </EmptyState>
);
