import type { GradeGraph as Graph, StudentHome } from '#api/analysis/student/student.contract';
import { useState } from 'react';
import { Select } from '../../ui/controls/Field.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { Heads, Table } from '../../ui/table/Table.tsx';
import styles from './Dashboard.module.css';
import { useOwnQuestion } from './queries.ts';

type GradeGraphProps = { readonly testId: string; readonly name: string; readonly exams: StudentHome['exams'] };

/** How students of earlier years ended who had about the same total in this assessment. */
export const GradeGraph = ({ testId, name, exams }: GradeGraphProps) => {
  const [chosenId, choose] = useState('');
  const exam = exams.find(({ terminalExamId }) => terminalExamId === chosenId) ?? exams[0];
  const examId = exam?.terminalExamId ?? '';
  const { data, error, refetch } = useOwnQuestion('grade-graph', { testId, terminalExamId: examId });
  return (
    <Section title="Where it can lead">
      {exams.length > 1 && (
        <div className={`stack own-width ${styles.choice}`}>
          <Select label="Final exam" value={examId} onChange={(event) => choose(event.target.value)}>
            {exams.map(({ terminalExamId, name: of }) => (
              <option key={terminalExamId} value={terminalExamId}>
                {of}
              </option>
            ))}
          </Select>
        </div>
      )}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} label="Loading earlier years" />}
      {data && <Bars graph={data} test={name} exam={exam?.name ?? ''} />}
    </Section>
  );
};

const Bars = ({ graph: { ends, from, to }, test, exam }: { readonly graph: Graph; readonly test: string; readonly exam: string }) => {
  if (ends === null || from === null || to === null) return <p className="muted">Fewer than five students: not shown.</p>;
  const most = Math.max(...ends.map(({ count }) => count));
  const often = ends.flatMap(({ endScore, count }) => (count === most ? [endScore] : []));
  const all = ends.reduce((sum, { count }) => sum + count, 0);
  return (
    <figure className={`stack gap-3 large ${styles.graph}`}>
      <figcaption>
        <strong>
          Most often: {often.join(' and ')}, {often.length > 1 && 'each '}
          {most} of {all}
        </strong>{' '}
        students of earlier years who had {from === to ? from : `${from} to ${to}`} in {test}, by how they ended in {exam}. It is what
        happened to others, not a promise.
      </figcaption>
      <Table label="How students of earlier years ended" className={`large ${styles.bars}`}>
        <Heads names={['End score', 'Students']} figures={['End score']} />
        <tbody>
          {ends.map(({ endScore, count }) => (
            <tr key={endScore}>
              <th scope="row" className="figure">
                {endScore}
              </th>
              <td>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(100 * count) / most} height="10" fill="var(--brand)" />
                </svg>
                <span>{count}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </figure>
  );
};
