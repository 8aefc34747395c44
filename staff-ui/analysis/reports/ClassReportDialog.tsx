import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { useFresh } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import type { Making } from '../../../ui/reports/parts.ts';
import { useMoment } from '../../moment.ts';
import { dateTime } from '../../format.ts';
import { Progress } from '../../shell/reports/Progress.tsx';
import { useReport } from '../../shell/reports/useReport.ts';
import type { ReportedTest } from './class-report-about.ts';

type ClassReportDialogProps = {
  readonly setId: string;
  readonly yearGroupId: string;
  readonly name: string;
  readonly onClose: () => void;
};

/** A workbook about the class in one or all of its assessments; on a page of an earlier moment, as of then. */
export const ClassReportDialog = ({ setId, yearGroupId, name, onClose }: ClassReportDialogProps) => {
  const { asOf } = useMoment();
  const ask = useFresh(asOf);
  const home = useQuestion('class-home', { setId }, asOf);
  const completed = home.data?.completed ?? [];
  const [picked, setPicked] = useState('');
  const report = useReport(async ({ signal, onProgress }: Making) => {
    const [{ classReportFile, CLASS_FILE }, homeNow, predictors, markbook] = await Promise.all([
      import('./class-report.ts'),
      ask('class-home', { setId }),
      ask('progress-predictors', { setId }),
      ask('markbook', { yearGroupId, setId }),
    ]);
    const wanted = homeNow.completed.filter(({ testId }) => picked === '' || testId === picked);
    const tests: ReportedTest[] = [];
    for (const { testId } of wanted) {
      signal?.throwIfAborted();
      const [sheet, analysis] = await Promise.all([
        ask('sheet', { testId, setId }),
        ask('question-analysis', { testId, yearGroupId, setId }),
      ]);
      tests.push({ sheet, analysis });
      onProgress?.(tests.length, wanted.length);
    }
    signal?.throwIfAborted();
    const file = await classReportFile({ home: homeNow, predictors, markbook, tests, moment: asOf ?? new Date().toISOString() });
    return {
      file,
      fileName: CLASS_FILE.replace('.', ` ${name}.`),
      notes: [],
      unprintable: [],
      handOut: { what: 'class report', as: 'file', setId, testId: picked || undefined, asOf },
    };
  });
  return (
    <Dialog title={`Class report of ${name}`} open onClose={onClose}>
      <div className="stack gap-3 pad">
        {home.error && <Failure error={home.error} retry={() => void home.refetch()} />}
        {!home.data && !home.error && <Skeleton rows={2} label="Loading assessments" />}
        {home.data && completed.length === 0 && (
          <EmptyState title="Nothing to report yet">Reports are about assessments in which somebody of the class has a total.</EmptyState>
        )}
        {completed.length > 0 && (
          <>
            <p className="muted">
              A workbook with the marks, how the questions worked, the topics, and each student’s strengths and targets.
              {asOf !== undefined && ` As it was on ${dateTime(asOf)}.`}
            </p>
            <Select label="Assessments" value={picked} onChange={({ target }) => setPicked(target.value)}>
              <option value="">
                {completed.length === 1 ? 'The one that the class has completed' : `All ${completed.length} that the class has completed`}
              </option>
              {completed.length > 1 &&
                completed.map((test) => (
                  <option key={test.testId} value={test.testId}>
                    {test.name}
                  </option>
                ))}
            </Select>
          </>
        )}
        <Progress report={report} />
      </div>
      <DialogFoot>
        <Button look="primary" disabled={report.pending || completed.length === 0} onClick={() => void report.make()}>
          Download
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
