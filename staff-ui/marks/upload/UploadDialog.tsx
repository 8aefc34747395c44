import { useState } from 'react';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Tabs } from '../../../ui/controls/Tabs.tsx';
import { leaving } from '../../../ui/session/unsaved.ts';
import { ManualEntryTab } from '../sheet/ManualEntry.tsx';
import { MarksByFile } from './MarksByFile.tsx';
import type { UploadDialogProps } from './request.ts';
import { isForTyping } from './request.ts';
import { TotalsByFile } from './totals/TotalsByFile.tsx';

const KINDS = {
  totals: { title: 'Upload Student Assessment Totals', label: 'How to enter totals', size: 'wide', sheet: 'total', ByFile: TotalsByFile },
  results: { title: 'Enter question-level analysis', label: 'How to enter marks', size: 'tall', sheet: 'marks', ByFile: MarksByFile },
} as const;

/** Totals of a class, or the marks of one test question by question: typed or pasted, or by file. */
export const UploadDialog = ({ request, open, onClose }: UploadDialogProps) => {
  const { title, label, size, sheet, ByFile } = KINDS[request.kind];
  const [tab, setTab] = useState<'manual' | 'bulk'>(request.by === 'hand' || isForTyping(request) ? 'manual' : 'bulk');
  return (
    <Dialog
      size={size}
      persistent={sheet === 'total'}
      beforeClose={(close) => leaving('part', close)}
      title={title}
      open={open}
      onClose={onClose}
    >
      <Tabs
        label={label}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            id: 'manual',
            name: 'Manual Entry',
            // Typed totals wait until they are submitted: their sheet stays.
            content: (sheet === 'total' || tab === 'manual') && <ManualEntryTab kind={sheet} request={request} />,
          },
          { id: 'bulk', name: 'Bulk Upload', content: <ByFile request={request} open={open} onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
};
