import type { Mappings } from '#api/assessments/mapping/mapping.contract';
import type { ReactNode } from 'react';
import { useCallback, useState } from 'react';
import { useApi, useQuestion } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import type { Group } from './Allocation.tsx';
import { Allocation } from './Allocation.tsx';
import styles from './MappingStepper.module.css';
import type { TreeNode } from './tree.ts';

const steps = [
  'Allocate pre-requisite topics to Scheme of Work',
  'Allocate topics to an assessment',
  'Manually allocate prerequisites to Scheme of Work topics',
] as const;

type MappingStepperProps = {
  readonly subjectId: string;
  /** An assessment to map: opens the stepper at step 2. */
  readonly testId?: string | undefined;
  /** Shown while the subject has no topic tree: the way to create one. */
  readonly chooseTree?: ReactNode;
  /** An earlier moment, an ISO instant. */
  readonly asOf?: string | undefined;
};

/** The three steps that connect questions with the topics of a scheme of work, for admins and leaders. */
export const MappingStepper = ({ subjectId, testId, chooseTree, asOf }: MappingStepperProps) => {
  const [current, setCurrent] = useState(testId === undefined ? 2 : 1);
  const { data, error, refetch } = useQuestion('mappings', { subjectId }, asOf);
  const reload = useCallback(async () => (await refetch({ throwOnError: true })).data ?? EMPTY, [refetch]);
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} label="Loading the allocations" />;
  const step = { data, subjectId, reload };
  const hasQuestions = data.tests.some(({ questions }) => questions.length > 0);
  return (
    <div className="stack gap-6">
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((step, index) => (
          <li key={step}>
            <button
              type="button"
              className="line bare"
              aria-current={index === current ? 'step' : undefined}
              onClick={() => setCurrent(index)}
            >
              <span className={styles.number}>{index + 1}</span> {step}
            </button>
          </li>
        ))}
      </ol>
      {/* All three stay mounted, so that their unsaved changes survive a change of step. */}
      <section hidden={current !== 0} aria-label={steps[0]}>
        {!data.tree ? <NoTree chooseTree={chooseTree} /> : data.schemes.length === 0 ? noScheme : <SchemeStep {...step} />}
      </section>
      <section hidden={current !== 1} aria-label={steps[1]}>
        {!data.tree ? (
          <NoTree chooseTree={chooseTree} />
        ) : data.tests.length === 0 ? (
          noAssessment
        ) : (
          <AssessmentStep {...step} testId={testId} />
        )}
      </section>
      <section hidden={current !== 2} aria-label={steps[2]}>
        {data.schemes.length === 0 ? noScheme : hasQuestions ? <ManualStep {...step} /> : noAssessment}
      </section>
      <footer className={`line end ${styles.foot}`}>
        {current > 0 && <Button onClick={() => setCurrent(current - 1)}>Back</Button>}
        {current < steps.length - 1 && <Button onClick={() => setCurrent(current + 1)}>Next step</Button>}
      </footer>
    </div>
  );
};

const EMPTY: Mappings = { tree: null, schemes: [], tests: [] };

type StepProps = { readonly data: Mappings; readonly subjectId: string; readonly reload: () => Promise<Mappings> };

const SchemeStep = ({ data, subjectId, reload }: StepProps) => {
  const api = useApi();
  return (
    <Allocation
      groupLabel="Scheme of work"
      groups={schemesBy(data, 'topicIds')}
      itemsLabel="Scheme of work topics"
      candidatesLabel="Topics"
      candidates={topicTree(data)}
      noItems={noTopics}
      save={async (changes) => {
        const all = changes.map(({ id, to, was }) => ({ schemeTopicId: id, topicIds: [...to], was: [...was] }));
        await api.command('MapSchemeTopics', { subjectId, changes: all });
        await reload();
      }}
      reload={async () => schemesBy(await reload(), 'topicIds')}
    />
  );
};

const AssessmentStep = ({ data, subjectId, reload, testId }: StepProps & { readonly testId: string | undefined }) => {
  const api = useApi();
  return (
    <Allocation
      groupLabel="Assessment"
      groups={assessments(data)}
      firstGroup={testId}
      itemsLabel="Questions"
      candidatesLabel="Topics"
      candidates={topicTree(data)}
      noItems={noQuestions}
      save={async (changes) => {
        const all = changes.map(({ id, to, was }) => ({ questionId: id, topicIds: [...to], was: [...was] }));
        await api.command('MapQuestions', { subjectId, changes: all });
        await reload();
      }}
      reload={async () => assessments(await reload())}
    />
  );
};

const ManualStep = ({ data, subjectId, reload }: StepProps) => {
  const api = useApi();
  return (
    <Allocation
      groupLabel="Scheme of work"
      groups={schemesBy(data, 'questionIds')}
      itemsLabel="Scheme of work topics"
      candidatesLabel="Questions"
      candidates={questionTree(data)}
      noItems={noTopics}
      save={async (changes) => {
        const all = changes.map(({ id, to, was }) => ({ schemeTopicId: id, questionIds: [...to], was: [...was] }));
        await api.command('AllocatePrerequisites', { subjectId, changes: all });
        await reload();
      }}
      reload={async () => schemesBy(await reload(), 'questionIds')}
    />
  );
};

/** Topics of schemes, with the topics of the tree or the questions that are their prerequisites. */
const schemesBy = ({ schemes }: Mappings, bound: 'topicIds' | 'questionIds'): readonly Group[] =>
  schemes.map(({ schemeId, name, topics }) => ({
    id: schemeId,
    name,
    items: topics.map((topic) => ({ id: topic.schemeTopicId, name: topic.name, bound: topic[bound] })),
  }));

const assessments = ({ tests }: Mappings): readonly Group[] =>
  tests.map(({ testId, name, questions }) => ({
    id: testId,
    name,
    items: questions.map(({ questionId, number, topic, topicIds }) => ({
      id: questionId,
      name: topic,
      note: `Question ${number}`,
      bound: topicIds,
    })),
  }));

const topicTree = ({ tree }: Mappings): readonly TreeNode[] =>
  (tree?.topics ?? []).map(({ topicId, name, parentId }) => ({ id: topicId, name, parentId }));

/** Questions grouped by assessment. */
const questionTree = ({ tests }: Mappings): readonly TreeNode[] =>
  tests
    .filter(({ questions }) => questions.length > 0)
    .flatMap(({ testId, name, questions }) => [
      { id: testId, name, parentId: null, heading: true },
      ...questions.map(({ questionId, number, topic }) => ({ id: questionId, name: `${number}. ${topic}`, topic, parentId: testId })),
    ]);

const NoTree = ({ chooseTree }: { readonly chooseTree: ReactNode }) => (
  <EmptyState title="This subject has no topic tree yet" action={chooseTree}>
    <p>
      A topic tree lists everything that is taught in the subject, in three levels. Its topics are allocated to schemes of work and to
      questions, which tells which questions bear on what.
    </p>
    {!chooseTree && <p>An admin of your school can choose one.</p>}
  </EmptyState>
);
const noScheme = (
  <EmptyState title="There is no scheme of work yet">
    <p>Add one under Schemes of Work: questions are allocated to its topics.</p>
  </EmptyState>
);
const noTopics = (
  <EmptyState title="This scheme of work has no topics yet">
    <p>Add them under Schemes of Work, one by one or from a CSV file.</p>
  </EmptyState>
);
const noAssessment = (
  <EmptyState title="There are no questions yet">
    <p>Add an assessment with its questions under Assessment Data.</p>
  </EmptyState>
);
const noQuestions = (
  <EmptyState title="This assessment has no questions yet">
    <p>Add them under Assessment Data, one by one or from a CSV file.</p>
  </EmptyState>
);
