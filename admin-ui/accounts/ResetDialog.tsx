import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { StudentUser } from './user.ts';
import styles from './Users.module.css';

/** Shown once: the server cannot show it again. */
export const ResetDialog = ({
  user,
  link,
  onClose,
}: {
  readonly user: StudentUser;
  readonly link: string;
  readonly onClose: () => void;
}) => {
  const titleId = useId();
  const [copied, setCopied] = useState<string>();
  const copy = () => {
    navigator.clipboard.writeText(link).then(
      () => setCopied('Copied.'),
      () => setCopied('It could not be copied: select it.'),
    );
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>A new password for {user.name}</DialogTitle>
      <DialogContent>
        <p>
          This link is on its way to {user.email}. You can also hand it to {user.name} yourself: it is shown only now, and works once, for a
          day.
        </p>
        <p className={styles.link}>
          <code>{link}</code>
        </p>
        <p role="status">{copied}</p>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={copy}>
          Copy
        </Button>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
};
