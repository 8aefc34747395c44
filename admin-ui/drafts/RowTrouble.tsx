import { Button } from '@mui/material';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** Why a whole record was not saved; Reload discards its input and shows the stored values. */
export const RowTrouble = ({ text, onReload }: { readonly text: string | undefined; readonly onReload: () => void }) =>
  text === undefined ? null : (
    <Notice
      tone="warn"
      title={text}
      actions={
        <Button size="small" onClick={onReload}>
          Reload
        </Button>
      }
    />
  );
