import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import { SessionList } from '../../ui/session/SessionList.tsx';

type SessionsDialogProps = { readonly accountId: string; readonly name: string; readonly onClose: () => void };

export const SessionsDialog = ({ accountId, name, onClose }: SessionsDialogProps) => {
  const titleId = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Where {name} is logged in</DialogTitle>
      <DialogContent>
        <SessionList accountId={accountId} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
};
