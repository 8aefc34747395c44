import { Button } from '@mui/material';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** Why a record as a whole was not stored; Reload throws away what was typed in it, and shows what it says now. */
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
