import { useState } from 'react';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { lastPage, Pager } from '../../ui/table/Pager.tsx';
import { TOPIC_ROWS, useRowsAPage } from '../../ui/table/rows-a-page.ts';
import styles from './Dashboard.module.css';
import { EvidenceMark, EvidenceNote, evidenceOf } from './Evidence.tsx';
import { Band } from './Questions.tsx';
import { useOwnQuestion } from './queries.ts';

/** So many questions of a usual paper (20 of them, alpha 0.85) are together as reliable as a claim has to be: 0.5. */
const ENOUGH_QUESTIONS = 4;
const isWeak = (questions: readonly unknown[]): boolean => questions.length < ENOUGH_QUESTIONS;

/** The topics of the scheme of work: what is known of each, and what it rests on. */
export const Predictors = ({ subjectId }: { readonly subjectId: string }) => {
  const { data, error, refetch } = useOwnQuestion('student-topics', { subjectId });
  const [page, turn] = useState(0);
  const topics = data?.topics ?? [];
  const evidence = evidenceOf(topics.filter(({ value }) => value !== null).map(({ questions }) => isWeak(questions)));
  const { size, rows } = useRowsAPage(topics.length, TOPIC_ROWS, 'topic_rows');
  const at = Math.min(page, lastPage(topics.length, size));
  return (
    <Section title="Your topics">
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} label="Loading your topics" />}
      {evidence !== 'enough' && (
        <p className="muted">
          <EvidenceNote evidence={evidence} />
        </p>
      )}
      {data && topics.length === 0 && <p className="muted">Your class has no scheme of work with topics yet.</p>}
      <ul className={styles.topics}>
        {topics.slice(at * size, (at + 1) * size).map(({ schemeTopicId, name, value, rag, predictedFrom, questions }) => (
          <li key={schemeTopicId}>
            <details>
              <summary className="row apart">
                <span className="breaks">
                  {name} {predictedFrom.length > 0 && <small>estimated from {predictedFrom.join(', ')}</small>}
                </span>
                <span className={`rigid figure ${styles.figure}`} data-band={rag ?? undefined}>
                  {value === null ? 'not asked yet' : `${value} %`}
                  {value !== null && isWeak(questions) && <EvidenceMark evidence={evidence} />}
                  <Band rag={rag} />
                </span>
              </summary>
              {questions.length === 0 ? (
                <p className="muted">No question of yours bears on this topic yet.</p>
              ) : (
                <ul>
                  {questions.map((one) => (
                    <li key={one.questionId} className="line apart">
                      {one.test}, question {one.number}: {one.topic}{' '}
                      <span className="rigid figure">
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
      {topics.length > TOPIC_ROWS[0] && <Pager of="topics" page={at} size={size} count={topics.length} onPage={turn} rows={rows} />}
    </Section>
  );
};
