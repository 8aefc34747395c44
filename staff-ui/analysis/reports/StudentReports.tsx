import { Suspense, useState } from 'react';
import { lazily } from '../../../ui/lazily.ts';
import { Button } from '../../../ui/controls/Button.tsx';

const ReportsDialog = lazily(() => import('./ReportsDialog.tsx'), 'ReportsDialog');

type StudentReportsProps = { readonly setId: string; readonly yearGroupId: string; readonly name: string };

/** Reports to hand out to the students of a class. */
export const StudentReports = (props: StudentReportsProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Student reports</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReportsDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
