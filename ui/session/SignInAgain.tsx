import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useApi, useSessionWatch } from '../api/ApiProvider.tsx';
import { isRefused, sentence } from '../api/failure.ts';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import dialogStyles from '../controls/Dialog.module.css';
import { Notice } from '../feedback/Notice.tsx';
import { leaveForLogin } from './signed-out.ts';
import styles from './SignInAgain.module.css';

/**
 * The session has ended while somebody was at work: he logs in again over what he was doing, which then goes on. The page behind is covered,
 * because whoever stands before it may be somebody else by now.
 */
export const SignInAgain = ({ email }: { readonly email: string }) => {
  const session = useSessionWatch();
  const awaited = useSyncExternalStore(session.subscribe, session.awaited);
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (awaited) ref.current?.showModal();
    else ref.current?.close();
  }, [awaited]);
  return (
    <dialog
      ref={ref}
      className={`${dialogStyles.dialog} ${dialogStyles.narrow} ${styles.cover}`}
      aria-labelledby="sign-in-again"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
    >
      {awaited && <SignInForm email={email} onDone={session.resume} />}
    </dialog>
  );
};

const SignInForm = ({ email, onDone }: { readonly email: string; readonly onDone: () => void }) => {
  const api = useApi();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    setBusy(true);
    setFailure(undefined);
    try {
      await api.signIn(email, typeof password === 'string' ? password : '');
      onDone();
      void client.invalidateQueries();
    } catch (error) {
      setFailure(isRefused(error) && [400, 401, 422].includes(error.problem.status) ? 'Login failed' : sentence(error));
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={signIn}>
      <h2 id="sign-in-again">Your session has ended</h2>
      <p>Log in again to go on where you were. Nothing that you typed is lost.</p>
      {failure && <Notice tone="bad" title={failure} />}
      <Field label="E-mail" name="email" type="email" autoComplete="username" value={email} readOnly />
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is this form and nothing else */}
      <Field label="Password" name="password" type="password" autoComplete="current-password" required autoFocus />
      <div className={styles.buttons}>
        <Button onClick={leaveForLogin}>I am somebody else</Button>
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Logging in…' : 'Login'}
        </Button>
      </div>
    </form>
  );
};
