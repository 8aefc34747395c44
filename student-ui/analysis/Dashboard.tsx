import type { StudentHome } from '#api/analysis/student/student.contract';
import { withSigns } from '#api/contract/flags';
import type { ReactNode } from 'react';
import { Suspense, useState } from 'react';
import { Chips } from '../../ui/controls/Chips.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Section } from '../../ui/frame/Page.tsx';
import { AssessmentCard } from './AssessmentCard.tsx';
import styles from './Dashboard.module.css';
import { useHome } from './queries.ts';
import { Reports } from './Reports.tsx';
import { resultTexts } from './result-texts.ts';

// Further down the page: what is in sight first is loaded first.
const GradeGraph = lazily(() => import('./GradeGraph.tsx'), 'GradeGraph');
const Predictors = lazily(() => import('./Predictors.tsx'), 'Predictors');

type DashboardProps = {
  readonly subjectId: string;
  /** What else there is to an assessment. */
  readonly below: (testId: string) => ReactNode;
};

/** What a student has done in a subject: one assessment at a time, and what follows from all of them. */
export const Dashboard = ({ subjectId, below }: DashboardProps) => {
  const { data, error, refetch } = useHome(subjectId);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={6} label="Loading your results" />;
  return <Shown key={subjectId} home={data} below={below} />;
};

const Shown = ({ home, below }: Pick<DashboardProps, 'below'> & { readonly home: StudentHome }) => {
  const [testId, choose] = useState<string>();
  const { tests, exams, results } = home;
  const chosen = tests.find((test) => test.testId === testId) ?? tests.find(hasSomething) ?? tests[0];
  return (
    <>
      <Section title="Your results">
        {chosen ? (
          <>
            {tests.length > 1 && (
              <div className={styles.choice}>
                <Chips
                  label="Assessment"
                  items={tests.map(({ testId: id, name, percent, flags }) => ({
                    id,
                    name,
                    ...(percent !== null && { note: withSigns(`${Math.round(percent)} %`, flags) }),
                  }))}
                  chosen={chosen.testId}
                  onChoose={choose}
                />
              </div>
            )}
            <AssessmentCard key={chosen.testId} card={chosen} />
            <div className={`stack gap-4 large ${styles.card}`}>
              {hasSomething(chosen) && <Reports home={home} testId={chosen.testId} />}
              {below(chosen.testId)}
            </div>
          </>
        ) : (
          <EmptyState title="No assessment yet">
            Your results are shown here once your teacher has opened an assessment to your class.
          </EmptyState>
        )}
      </Section>
      {results !== null && results.length > 0 && <Results results={results} />}
      <Suspense fallback={<Skeleton rows={5} label="Loading what follows from them" />}>
        {chosen && chosen.total !== null && exams.length > 0 && <GradeGraph testId={chosen.testId} name={chosen.name} exams={exams} />}
        {tests.some(({ questions }) => questions) && (
          <div className={styles.part}>
            <Predictors subjectId={home.subjectId} />
          </div>
        )}
      </Suspense>
    </>
  );
};

/** What came of complete feedback tasks, where the school shows it. */
const Results = ({ results }: { readonly results: NonNullable<StudentHome['results']> }) => (
  <Section title="Grades">
    <ul className="large">
      {results.map(({ taskId, tests, grade, overridden, ...result }) => (
        <li key={taskId} className={`row ${styles.row}`}>
          <strong>{grade === null ? 'No grade' : `Grade ${grade}`}</strong>
          {overridden.includes('grade') && <small> (overridden)</small>}
          <span>{tests.join(', ')}</span>
          <small>{resultTexts({ ...result, overridden, grade: null }).join(' · ')}</small>
        </li>
      ))}
    </ul>
  </Section>
);

const hasSomething = ({ total, ownTotal, questions }: StudentHome['tests'][number]): boolean =>
  total !== null || ownTotal !== null || questions;
