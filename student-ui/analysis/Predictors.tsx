import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import styles from './Dashboard.module.css';
import { EvidenceMark, EvidenceNote, evidenceOf } from './Evidence.tsx';
import { Band } from './Questions.tsx';
import { useOwnQuestion } from './queries.ts';

const ON_A_PAGE = 5;

/** So many questions of a usual paper (20 of them, alpha 0.85) are together as reliable as a claim has to be: 0.5. */
const ENOUGH_QUESTIONS = 4;
const isWeak = (questions: readonly unknown[]): boolean => questions.length < ENOUGH_QUESTIONS;

/** The topics of the scheme of work: what is known of each, and what it rests on. */
export const Predictors = ({ subjectId }: { readonly subjectId: string }) => {
  const { data, error, refetch } = useOwnQuestion('student-topics', { subjectId });
  const [page, turn] = useState(0);
  const topics = data?.topics ?? [];
  const evidence = evidenceOf(topics.filter(({ value }) => value !== null).map(({ questions }) => isWeak(questions)));
  const pages = Math.max(1, Math.ceil(topics.length / ON_A_PAGE));
  const at = Math.min(page, pages - 1);
  return (
    <Section title="Your topics">
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={ON_A_PAGE} label="Loading your topics" />}
      {evidence !== 'enough' && (
        <p className={styles.quiet}>
          <EvidenceNote evidence={evidence} />
        </p>
      )}
      {data && topics.length === 0 && <p className={styles.quiet}>Your class has no scheme of work with topics yet.</p>}
      <ul className={styles.topics}>
        {topics.slice(at * ON_A_PAGE, (at + 1) * ON_A_PAGE).map(({ schemeTopicId, name, value, rag, predictedFrom, questions }) => (
          <li key={schemeTopicId}>
            <details>
              <summary>
                <span>
                  {name} {predictedFrom.length > 0 && <small>estimated from {predictedFrom.join(', ')}</small>}
                </span>
                <span className={styles.figure} data-band={rag ?? undefined}>
                  {value === null ? 'not asked yet' : `${value} %`}
                  {value !== null && isWeak(questions) && <EvidenceMark evidence={evidence} />}
                  <Band rag={rag} />
                </span>
              </summary>
              {questions.length === 0 ? (
                <p className={styles.quiet}>No question of yours bears on this topic yet.</p>
              ) : (
                <ul>
                  {questions.map((one) => (
                    <li key={one.questionId}>
                      {one.test}, question {one.number}: {one.topic}{' '}
                      <span className={styles.figure}>
                        {one.mark ?? 0}/{one.max}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </details>
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <p className={styles.pages}>
          <Button disabled={at === 0} onClick={() => turn(at - 1)}>
            Earlier topics
          </Button>
          <span role="status">
            {at * ON_A_PAGE + 1} to {Math.min(topics.length, (at + 1) * ON_A_PAGE)} of {topics.length}
          </span>
          <Button disabled={at === pages - 1} onClick={() => turn(at + 1)}>
            More topics
          </Button>
        </p>
      )}
    </Section>
  );
};
