import type { Predictors } from '#api/analysis/analysis.contract';
import { toldApart } from '#api/contract/names';
import { memo, useMemo, useState } from 'react';
import { lastPage, Pager } from '../../../ui/table/Pager.tsx';
import { TOPIC_ROWS, useRowsAPage } from '../../../ui/table/rows-a-page.ts';
import { Table } from '../../../ui/table/Table.tsx';
import { useJustChanged } from '../../shell/useJustChanged.ts';
import type { Explanation } from '../figures/Explanations.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { openText } from '../figures/OpenFlag.tsx';
import { Rag } from '../figures/Rag.tsx';
import { Breakdown, TopicOfClass } from './Breakdown.tsx';
import styles from './Predictors.module.css';

type Topic = Predictors['topics'][number];

/** A row per student and a column per topic; each value opens the questions that it rests on. */
export const PredictorsTable = ({ predictors }: { readonly predictors: Predictors }) => {
  const { setId, scheme, topics } = predictors;
  const of = useMemo(() => toldApart(predictors.of), [predictors.of]);
  const [chosen, setPage] = useState(0);
  const { size, rows } = useRowsAPage(of.length, TOPIC_ROWS, 'topic_rows');
  const page = Math.min(chosen, lastPage(of.length, size));
  const explain = useExplain();
  return (
    <>
      <Table label="Topics by student" className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.student}>
              Student
            </th>
            {topics.map((topic) => (
              <th key={topic.schemeTopicId} scope="col" className={styles.topic}>
                <button
                  type="button"
                  className="pick small"
                  title="Which questions bear on it"
                  onClick={() => explain(topicExplained(topic, setId, scheme?.schemeId))}
                >
                  {topic.name}
                </button>
                {topic.predicted && topic.questions.length > 0 && <small className="tiny muted">predicted</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.slice(page * size, (page + 1) * size).map((student) => (
            <tr key={student.studentId}>
              <th scope="row" className={styles.student}>
                {student.name ?? 'Forgotten student'}
              </th>
              {topics.map((topic, column) => (
                <ValueCell
                  key={topic.schemeTopicId}
                  value={student.topics[column] ?? null}
                  setId={setId}
                  topic={topic}
                  studentId={student.studentId}
                  name={student.name ?? 'Forgotten student'}
                  explain={explain}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager of="students" page={page} size={size} count={of.length} onPage={setPage} rows={rows} />
    </>
  );
};

const topicExplained = ({ schemeTopicId, name }: Topic, setId: string, schemeId: string | undefined): Explanation => ({
  id: `topic ${schemeTopicId}`,
  title: `${name} – which questions bear on it`,
  body: <TopicOfClass setId={setId} schemeId={schemeId} schemeTopicId={schemeTopicId} />,
});

type ValueCellProps = {
  readonly value: Predictors['of'][number]['topics'][number];
  readonly setId: string;
  readonly topic: Topic;
  readonly studentId: string;
  readonly name: string;
  readonly explain: (explanation: Explanation) => void;
};

const ValueCell = memo(({ value, setId, topic: { schemeTopicId, name: topic }, studentId, name, explain }: ValueCellProps) => {
  const isNew = useJustChanged(`${value?.value}`);
  if (!value)
    return (
      <td className={styles.value}>
        <Rag value={null} rag={null} />
      </td>
    );
  const open = value.open && openText(value.open);
  const act = () =>
    explain({
      id: `breakdown ${studentId} ${schemeTopicId}`,
      title: `${name} – ${topic}`,
      body: <Breakdown setId={setId} studentId={studentId} student={name} schemeTopicId={schemeTopicId} />,
    });
  return (
    <td className={styles.value} data-changed={isNew || undefined} data-contested={open === undefined ? undefined : true} title={open}>
      <button
        type="button"
        className="bare"
        aria-label={`${value.value ?? 'no value'}, ${value.rag ?? 'no colour'}: ${name}, ${topic}${open === undefined ? '' : `, ${open}`}`}
        onClick={act}
      >
        <Rag value={value.value} rag={value.rag} />
      </button>
    </td>
  );
});
