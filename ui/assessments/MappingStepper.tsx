import type { Mappings } from '#api/assessments/mapping/mapping.contract';
import type { ReactNode } from 'react';
import { useCallback, useState } from 'react';
import { useApi, useQuestion } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { Allocation } from './Allocation.tsx';
import type { Change } from './change.ts';
import { assessments, questionTree, schemesByQuestions, schemesByTopics, topicTree } from './groups.ts';
import styles from './MappingStepper.module.css';

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
};

/** The three steps that connect questions with the topics of a scheme of work, for admins and leaders. */
export const MappingStepper = ({ subjectId, testId, chooseTree }: MappingStepperProps) => {
  const [current, setCurrent] = useState(testId === undefined ? 2 : 1);
  const { data, error, refetch } = useQuestion('mappings', { subjectId });
  const reload = useCallback(async () => (await refetch({ throwOnError: true })).data ?? EMPTY, [refetch]);
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} label="Loading the allocations" />;
  return (
    <div className={styles.stepper}>
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((step, index) => (
          <li key={step}>
            <button type="button" aria-current={index === current ? 'step' : undefined} onClick={() => setCurrent(index)}>
              <span className={styles.number}>{index + 1}</span> {step}
            </button>
          </li>
        ))}
      </ol>
      {/* All three stay mounted, so that their unsaved changes survive a change of step. */}
      <section hidden={current !== 0} aria-label={steps[0]}>
        <SchemeStep data={data} subjectId={subjectId} reload={reload} chooseTree={chooseTree} />
      </section>
      <section hidden={current !== 1} aria-label={steps[1]}>
        <AssessmentStep data={data} subjectId={subjectId} reload={reload} chooseTree={chooseTree} testId={testId} />
      </section>
      <section hidden={current !== 2} aria-label={steps[2]}>
        <ManualStep data={data} subjectId={subjectId} reload={reload} />
      </section>
      <footer className={styles.foot}>
        {current > 0 && <Button onClick={() => setCurrent(current - 1)}>Back</Button>}
        {current < steps.length - 1 && <Button onClick={() => setCurrent(current + 1)}>Next step</Button>}
      </footer>
    </div>
  );
};

const EMPTY: Mappings = { tree: null, schemes: [], tests: [] };

type StepProps = {
  readonly data: Mappings;
  readonly subjectId: string;
  readonly reload: () => Promise<Mappings>;
  readonly chooseTree?: ReactNode;
};

const SchemeStep = ({ data, subjectId, reload, chooseTree }: StepProps) => {
  const api = useApi();
  if (!data.tree) return <NoTree chooseTree={chooseTree} />;
  if (data.schemes.length === 0) return <NoScheme />;
  const save = async (changes: readonly Change[]) => {
    const input = { subjectId, changes: changes.map(({ id, to, was }) => ({ schemeTopicId: id, topicIds: [...to], was: [...was] })) };
    await api.command('MapSchemeTopics', input);
    await reload();
  };
  return (
    <Allocation
      groupLabel="Scheme of work"
      groups={schemesByTopics(data)}
      itemsLabel="Scheme of work topics"
      candidatesLabel="Topics"
      candidates={topicTree(data)}
      noItems={<NoTopics />}
      save={save}
      reload={async () => schemesByTopics(await reload())}
    />
  );
};

const AssessmentStep = ({ data, subjectId, reload, chooseTree, testId }: StepProps & { readonly testId: string | undefined }) => {
  const api = useApi();
  if (!data.tree) return <NoTree chooseTree={chooseTree} />;
  if (data.tests.length === 0) return <NoAssessment />;
  const save = async (changes: readonly Change[]) => {
    const input = { subjectId, changes: changes.map(({ id, to, was }) => ({ questionId: id, topicIds: [...to], was: [...was] })) };
    await api.command('MapQuestions', input);
    await reload();
  };
  return (
    <Allocation
      groupLabel="Assessment"
      groups={assessments(data)}
      firstGroup={testId}
      itemsLabel="Questions"
      candidatesLabel="Topics"
      candidates={topicTree(data)}
      noItems={<NoQuestions />}
      save={save}
      reload={async () => assessments(await reload())}
    />
  );
};

const ManualStep = ({ data, subjectId, reload }: StepProps) => {
  const api = useApi();
  if (data.schemes.length === 0) return <NoScheme />;
  if (data.tests.every(({ questions }) => questions.length === 0)) return <NoAssessment />;
  const save = async (changes: readonly Change[]) => {
    const input = { subjectId, changes: changes.map(({ id, to, was }) => ({ schemeTopicId: id, questionIds: [...to], was: [...was] })) };
    await api.command('AllocatePrerequisites', input);
    await reload();
  };
  return (
    <Allocation
      groupLabel="Scheme of work"
      groups={schemesByQuestions(data)}
      itemsLabel="Scheme of work topics"
      candidatesLabel="Questions"
      candidates={questionTree(data)}
      noItems={<NoTopics />}
      save={save}
      reload={async () => schemesByQuestions(await reload())}
    />
  );
};

const NoTree = ({ chooseTree }: { readonly chooseTree: ReactNode }) => (
  <EmptyState title="This subject has no topic tree yet" action={chooseTree}>
    <p>
      A topic tree lists everything that is taught in the subject, in three levels. Topics of it are allocated to schemes of work and to
      questions, and so tell which questions bear on what.
    </p>
    {!chooseTree && <p>An admin of your school can choose one.</p>}
  </EmptyState>
);
const NoScheme = () => (
  <EmptyState title="There is no scheme of work yet">
    <p>Add one under Schemes of Work: its topics are what questions are allocated to.</p>
  </EmptyState>
);
const NoTopics = () => (
  <EmptyState title="This scheme of work has no topics yet">
    <p>Add them under Schemes of Work, one by one or from a CSV file.</p>
  </EmptyState>
);
const NoAssessment = () => (
  <EmptyState title="There are no questions yet">
    <p>Add an assessment with its questions under Assessment Data.</p>
  </EmptyState>
);
const NoQuestions = () => (
  <EmptyState title="This assessment has no questions yet">
    <p>Add them under Assessment Data, one by one or from a CSV file.</p>
  </EmptyState>
);
