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
import { useExplain } from '../figures/Explanations.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import { Rag, RagLegend } from '../figures/Rag.tsx';
import styles from './ClassRag.module.css';
import { restsOnText } from './bearing-rows.tsx';
import { TopicFigure } from './TopicFigure.tsx';
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
  const asked = topics.filter(({ value }) => value !== null).length;
  return (
    <div className={styles.rag}>
      <p className={styles.about}>
        {scheme}: {asked} of {counted(topics.length, 'topic')} asked.
        {asked === 0 && ' A topic has a value as soon as a question of it, or of its pre-requisites, is marked and mapped.'}
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
      <button type="button" onClick={act} title="How it came about">
        <Rag value={value} rag={rag} />
        <span className={styles.name}>
          {name}
          <small>
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

const NoScheme = ({ name }: { readonly name: string }) => (
  <EmptyState title="No scheme of work">
    The scheme of work of {name} was deleted. An admin of your school restores it, or gives the class another one.
  </EmptyState>
);
