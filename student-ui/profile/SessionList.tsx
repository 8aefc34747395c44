import type { SessionShown, Sessions } from '#api/contract/door';
import { useCallback, useEffect, useState } from 'react';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { sessionText } from '../../ui/session/session-text.ts';
import { askDoor } from '../form/ask.ts';
import styles from './Profile.module.css';

/** Where the user is signed in; each but this one can be ended. */
export const SessionList = () => {
  const [sessions, setSessions] = useState<readonly SessionShown[]>([]);
  const [failure, setFailure] = useState<string>();
  const reload = useCallback(() => {
    askDoor<Sessions>('/profile/sessions').then(
      (known) => setSessions(known.sessions),
      (error: unknown) => setFailure(sentence(error)),
    );
  }, []);
  useEffect(reload, [reload]);
  const end = ({ sessionId }: SessionShown) => {
    setFailure(undefined);
    askDoor('/profile/sessions/end', { sessionId }).then(reload, (error: unknown) => {
      // It has ended meanwhile.
      if (isRefused(error, 'not-found')) reload();
      else setFailure(sentence(error));
    });
  };
  return (
    <section className={styles.part} aria-labelledby="sessions">
      <h2 id="sessions">Where you are logged in</h2>
      {failure && <Notice tone="bad" title={failure} />}
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <span>
              {session.browser}
              {session.isThis && ' (this one)'}
              <small>{sessionText(session)}</small>
            </span>
            {!session.isThis && (
              <Button aria-label={`End ${session.browser}`} onClick={() => end(session)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
