import { useState } from 'react';
import { Dialog } from '../../../../ui/controls/Dialog.tsx';
import { Tabs } from '../../../../ui/controls/Tabs.tsx';
import { ManualEntryTab } from '../../sheet/ManualEntry.tsx';
import type { UploadRequest } from '../request.ts';
import { BulkUpload } from './BulkUpload.tsx';

type TotalsDialogProps = { readonly request: UploadRequest; readonly open: boolean; readonly onClose: () => void };

/** Upload Student Assessment Totals: manual entry or CSV file. */
export const TotalsDialog = ({ request, open, onClose }: TotalsDialogProps) => {
  const [tab, setTab] = useState<'manual' | 'bulk'>(request.by === 'hand' || request.setId !== undefined ? 'manual' : 'bulk');
  return (
    <Dialog size="wide" persistent title="Upload Student Assessment Totals" open={open} onClose={onClose}>
      <Tabs
        label="How to enter totals"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { id: 'manual', name: 'Manual Entry', content: <ManualEntryTab kind="total" request={request} /> },
          { id: 'bulk', name: 'Bulk Upload', content: <BulkUpload request={request} open={open} onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
};
