import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { question, useApi, useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { Progress } from '../../shell/reports/Progress.tsx';
import { paperOf } from '../../../ui/reports/paper.ts';
import { PaperSelect } from '../../shell/reports/PaperSelect.tsx';
import { useReport } from '../../shell/reports/useReport.ts';
import styles from './Reports.module.css';
import { partsOf } from './student-parts.ts';

type ReportsDialogProps = {
  readonly setId: string;
  readonly yearGroupId: string;
  readonly name: string;
  readonly onClose: () => void;
};

/** Which assessment, for whom, and on what paper. */
export const ReportsDialog = ({ setId, yearGroupId, name, onClose }: ReportsDialogProps) => {
  const { me } = useSession();
  const api = useApi();
  const client = useQueryClient();
  const home = useQuestion('class-home', { setId });
  const completed = home.data?.completed ?? [];
  const [pickedTest, setTest] = useState('');
  const testId = completed.find((one) => one.testId === pickedTest)?.testId ?? completed[0]?.testId;
  const sheet = useQuestion('sheet', testId === undefined ? undefined : { testId, setId });
  const [pickedStudent, setStudent] = useState('');
  const [paper, setPaper] = useState(() => paperOf(navigator.language));
  const students = sheet.data?.students ?? [];
  const student = students.find(({ studentId }) => studentId === pickedStudent);
  const report = useReport(async (making) => {
    if (!sheet.data) return undefined;
    const [{ studentReportFile, STUDENT_FILE }, { readFont }, homeNow, predictors, markbook] = await Promise.all([
      import('../../../ui/reports/student-report.ts'),
      import('../../../ui/reports/read-font.ts'),
      client.fetchQuery(question(api, 'class-home', { setId })),
      client.fetchQuery(question(api, 'progress-predictors', { setId })),
      client.fetchQuery(question(api, 'markbook', { yearGroupId, setId })),
    ]);
    const sources = { home: homeNow, sheet: sheet.data, predictors, markbook, moment: new Date().toISOString() };
    const parts = partsOf(sources, student ? [student] : students);
    const { file, unprintable } = await studentReportFile(
      { school: me.school.name, paper, created: new Date(), font: readFont, parts },
      making,
    );
    return { file, fileName: student ? STUDENT_FILE : STUDENT_FILE.replace('.', ` ${name}.`), notes: [], unprintable };
  });
  const error = home.error ?? sheet.error;
  return (
    <Dialog title={`Student reports of ${name}`} open onClose={onClose}>
      <div className={styles.form}>
        {error && <Failure error={error} retry={() => void home.refetch()} />}
        {!home.data && !error && <Skeleton rows={3} label="Loading assessments" />}
        {home.data && testId === undefined && (
          <EmptyState title="Nothing to report yet">Reports are about assessments in which somebody of the class has a total.</EmptyState>
        )}
        {testId !== undefined && (
          <>
            <Select label="Assessment" value={testId} onChange={({ target }) => setTest(target.value)}>
              {completed.map((test) => (
                <option key={test.testId} value={test.testId}>
                  {test.name}
                </option>
              ))}
            </Select>
            <Select label="For" value={student?.studentId ?? ''} onChange={({ target }) => setStudent(target.value)}>
              <option value="">All {students.length} students, in one file</option>
              {students.map(({ studentId, name: called }) => (
                <option key={studentId} value={studentId}>
                  {called ?? 'Forgotten student'}
                </option>
              ))}
            </Select>
            <PaperSelect paper={paper} onChange={setPaper} />
          </>
        )}
        <Progress report={report} />
      </div>
      <DialogFoot>
        <Button look="primary" disabled={report.pending || students.length === 0} onClick={() => void report.make()}>
          Download
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
