import { Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { lazily } from '../../../ui/lazily.ts';
import type { ReportKind } from './report-file.ts';

const ReportsDialog = lazily(() => import('./ReportsDialog.tsx'), 'ReportsDialog');
const ClassReportDialog = lazily(() => import('./ClassReportDialog.tsx'), 'ClassReportDialog');

type Class = { readonly setId: string; readonly yearGroupId: string; readonly name: string };
type StudentReportsProps = Class & {
  readonly kind?: ReportKind;
  readonly test?: { readonly testId: string; readonly name: string };
  readonly look?: 'plain';
};

const LABELS: Readonly<Record<ReportKind, string>> = { student: 'Student reports', feedback: 'Feedback sheets' };

/** Reports to hand out to the students of a class. */
export const StudentReports = ({ kind = 'student', test, look, ...of }: StudentReportsProps) => {
  const [isOpen, setOpen] = useState(false);
  const attributes = { ...(look && { look }), ...(test && { 'aria-label': `${LABELS[kind]} of ${test.name}` }) };
  return (
    <>
      <Button {...attributes} onClick={() => setOpen(true)}>
        {LABELS[kind]}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <ReportsDialog {...of} kind={kind} testId={test?.testId} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
};

/** A workbook about a class, for its teacher. */
export const ClassReport = (of: Class) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Class report</Button>
      <Suspense fallback={null}>{isOpen && <ClassReportDialog {...of} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
};
