import type { SessionShown, Sessions } from '#api/contract/door';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { sessionText } from '../../ui/session/session-text.ts';
import styles from './Users.module.css';

type SessionsDialogProps = { readonly accountId: string; readonly name: string; readonly onClose: () => void };

/** Where somebody is signed in; each session can be ended, for example on a lost device. */
export const SessionsDialog = ({ accountId, name, onClose }: SessionsDialogProps) => {
  const api = useApi();
  const toast = useToast();
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions', accountId],
    queryFn: () => api.door<Sessions>(`/sessions?accountId=${accountId}`),
  });
  const end = async ({ sessionId }: SessionShown) => {
    try {
      await api.door('/sessions/end', { accountId, sessionId });
    } catch (failure) {
      // It has ended meanwhile.
      if (!isRefused(failure, 'not-found')) toast({ tone: 'bad', text: sentence(failure) });
    }
    await refetch();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Where {name} is logged in</DialogTitle>
      <DialogContent>
        {error && <Failure error={error} retry={() => void refetch()} />}
        {data?.sessions.length === 0 && <p>Nowhere at the moment.</p>}
        <ul className={styles.sessions}>
          {data?.sessions.map((session) => (
            <li key={session.sessionId}>
              <span>
                {session.browser}
                {session.isThis && ' (this one)'}
                <small>{sessionText(session)}</small>
              </span>
              {!session.isThis && (
                <Button size="small" variant="outlined" aria-label={`End ${session.browser}`} onClick={() => void end(session)}>
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
};
