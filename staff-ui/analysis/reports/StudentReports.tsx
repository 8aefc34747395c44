import type { ComponentProps, ReactNode } from 'react';
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
export const StudentReports = ({ kind = 'student', test, look, ...of }: StudentReportsProps) => (
  <Opener
    {...(look && { look })}
    {...(test && { 'aria-label': `${LABELS[kind]} of ${test.name}` })}
    label={LABELS[kind]}
    dialog={(onClose) => <ReportsDialog {...of} kind={kind} testId={test?.testId} onClose={onClose} />}
  />
);

/** A workbook about a class, for its teacher. */
export const ClassReport = (of: Class) => (
  <Opener label="Class report" dialog={(onClose) => <ClassReportDialog {...of} onClose={onClose} />} />
);

type OpenerProps = Pick<ComponentProps<typeof Button>, 'look' | 'aria-label'> & {
  readonly label: string;
  readonly dialog: (onClose: () => void) => ReactNode;
};

const Opener = ({ label, dialog, ...button }: OpenerProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <Suspense fallback={null}>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
};
