import type { PriorSummary } from '#api/prior/prior.contract';
import { priorShort, yearsCompleted } from '#api/prior/prior-score.contract';
import { useState } from 'react';
import { Select } from '../../ui/controls/Field.tsx';
import { Tabs } from '../../ui/controls/Tabs.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Section } from '../../ui/frame/Page.tsx';
import { useIsRead } from '../moment.ts';
import { PriorUpload } from './PriorUpload.tsx';
import { ManualScores } from './manual/ManualScores.tsx';
import { PriorUploads } from './PriorUploads.tsx';
import styles from './Prior.module.css';
import { nameOf } from './manual/typed-scores.ts';
import { Paged } from './Paged.tsx';
import { usePriorScores } from './queries.ts';

type ExamScoresProps = { readonly exam: PriorSummary['exams'][number]; readonly summary: PriorSummary };

/** The scores of one exam: typed, or from a file; for auditors, and as of an earlier moment, only to be read. */
export const ExamScores = ({ exam, summary }: ExamScoresProps) => {
  const isRead = useIsRead();
  const [tab, setTab] = useState<'manual' | 'csv'>('manual');
  const [year, setYear] = useState<number>();
  const { yearGroupId } = summary;
  return (
    <>
      <Section title={exam.name}>
        <Warnings exam={exam} students={summary.students} />
        {!isRead ? (
          <>
            <YearCompleted year={year} onChoose={setYear} />
            <Tabs
              label="How to enter prior data"
              chosen={tab}
              onChoose={setTab}
              tabs={[
                {
                  id: 'manual',
                  name: 'Enter data manually',
                  content: <ManualScores key={yearGroupId} terminalExamId={exam.terminalExamId} yearGroupId={yearGroupId} year={year} />,
                },
                { id: 'csv', name: 'Upload CSV', content: <PriorUpload terminalExamId={exam.terminalExamId} year={year} /> },
              ]}
            />
          </>
        ) : (
          <ScoresTable terminalExamId={exam.terminalExamId} yearGroupId={yearGroupId} />
        )}
      </Section>
      <PriorUploads terminalExamId={exam.terminalExamId} />
    </>
  );
};

const Warnings = ({ exam: { scores, enough, type }, students }: { readonly exam: ExamScoresProps['exam']; readonly students: number }) => (
  <>
    {scores > 0 && !enough && <Notice tone="warn" title={priorShort(scores, students)} />}
    {type === 'mixed' && (
      <Notice tone="warn" title="This exam holds letters and numbers.">
        <p>
          Students can be ranked by letters or by numbers, but not by both. Undo the upload that brought the wrong kind, or type them again.
        </p>
      </Notice>
    )}
  </>
);

const YearCompleted = ({ year, onChoose }: { readonly year: number | undefined; readonly onChoose: (year: number) => void }) => {
  const [years] = useState(() => yearsCompleted(new Date().getFullYear()));
  return (
    <div className={styles.year}>
      <Select
        label="Year completed"
        value={year ?? ''}
        onChange={(event) => onChoose(Number(event.target.value))}
        hint={year === undefined ? 'Choose it to store scores: if there are several years, the latest counts.' : undefined}
      >
        <option value="" disabled>
          Select the year
        </option>
        {years.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Select>
    </div>
  );
};

type ScoresTableProps = { readonly terminalExamId: string; readonly yearGroupId: string };

/** The scores as they were at an earlier moment. */
const ScoresTable = ({ terminalExamId, yearGroupId }: ScoresTableProps) => {
  const scores = usePriorScores(terminalExamId, yearGroupId);
  if (scores.error) return <Failure error={scores.error} retry={() => void scores.refetch()} />;
  if (!scores.data) return <Skeleton rows={8} label="Loading scores" />;
  return (
    <Paged label="Scores" heads={['Name', 'Class', 'Score', 'Year completed']} rows={scores.data.students}>
      {(student) => (
        <tr key={student.studentId}>
          <th scope="row">{nameOf(student)}</th>
          <td data-label="Class">{student.setName}</td>
          <td data-label="Score">{student.now?.score ?? '–'}</td>
          <td data-label="Year completed">{student.now?.yearCompleted ?? ''}</td>
        </tr>
      )}
    </Paged>
  );
};
