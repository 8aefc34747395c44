import type { RevisionList as List } from '#api/revision-lists/revision-lists.contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { readPreference, writePreference } from '../../ui/site/preferences.ts';
import { Downloads } from './Downloads.tsx';
import styles from './RevisionList.module.css';

type RevisionListProps = { readonly testId: string };

/** What to revise after an assessment. What is ticked stays on the device. */
export const RevisionList = ({ testId }: RevisionListProps) => {
  const { data, error, refetch } = useQuery(question(useApi(), 'revision-list', { testId }));
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data || data.headers.length === 0) return null;
  return <Ticked key={testId} list={data} />;
};

const Ticked = ({ list }: { readonly list: List }) => {
  const { me } = useSession();
  const [ticked, setTicked] = useState(() => readTicks(me.accountId, list.testId));
  const tick = (questionId: string, isTicked: boolean) => {
    const next = new Set(ticked);
    if (isTicked) next.add(questionId);
    else next.delete(questionId);
    setTicked(next);
    writeTicks(me.accountId, list.testId, next);
  };
  const all = list.headers.flatMap(({ questions }) => questions);
  const done = all.filter(({ questionId }) => ticked.has(questionId)).length;
  return (
    <details className={styles.list}>
      <summary>
        What to revise{' '}
        <span className="muted">
          {done} of {all.length} ticked
        </span>
      </summary>
      {list.headers.map(({ headerId, name, questions }) => (
        <fieldset key={headerId}>
          <legend className="strong">{name}</legend>
          {questions.map(({ questionId, number, topic, text }) => (
            <label key={questionId} className="line gap-3">
              <input
                type="checkbox"
                checked={ticked.has(questionId)}
                disabled={me.role !== 'student'}
                onChange={(event) => tick(questionId, event.target.checked)}
              />
              <span className="breaks">
                {text ?? topic} <small className="muted">question {number}</small>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <p className="muted">Ticks stay on this device.</p>
      <Downloads list={list} />
    </details>
  );
};

const placeOf = (accountId: string, testId: string): string => `marktrail-ticks-${accountId}-${testId}`;

/** The questions that the student has ticked on this device: ids alone. */
const readTicks = (accountId: string, testId: string): ReadonlySet<string> =>
  new Set((readPreference(placeOf(accountId, testId)) ?? '').split(' ').filter((one) => one !== ''));

const writeTicks = (accountId: string, testId: string, ticked: ReadonlySet<string>): void =>
  writePreference(placeOf(accountId, testId), [...ticked].join(' '));
