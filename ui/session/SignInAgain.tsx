import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useApi, useSessionWatch } from '../api/ApiProvider.tsx';
import { isRefused, sentence } from '../api/failure.ts';
import { useSend } from '../sending/useSend.ts';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import dialogStyles from '../controls/Dialog.module.css';
import { Notice } from '../feedback/Notice.tsx';
import { leaveForLogin } from '../api/signed-out.ts';
import styles from './SignInAgain.module.css';

/**
 * When the session ends during work, the user logs in again in this dialog and the work continues. The page behind is covered, because
 * somebody else may be at the screen by now; so are its notices.
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
  /** `authenticator` and `recovery` follow the password where the account has two-step sign-in. */
  const [step, setStep] = useState<'password' | 'authenticator' | 'recovery'>('password');
  const { send, pending, error, forget } = useSend({
    act: async (text: string): Promise<'signed in' | 'needs a code'> => {
      if (step === 'password') return (await api.signIn(email, text)).needsCode ? 'needs a code' : 'signed in';
      await api.verifyCode(text.trim(), step);
      return 'signed in';
    },
    onDone: (now) => {
      if (now === 'needs a code') return goTo('authenticator');
      onDone();
      void client.invalidateQueries();
    },
    showsError: true,
  });
  const goTo = (next: typeof step) => {
    setStep(next);
    forget();
  };
  const wrong = step === 'password' ? 'Login failed' : 'This code is not right. Try again.';
  const failure =
    isRefused(error) && [400, 401, 422].includes(error.problem.status) ? wrong : error === undefined ? undefined : sentence(error);

  const goOn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get(step === 'password' ? 'password' : 'code');
    void send(typeof typed === 'string' ? typed : '');
  };

  return (
    <form className="stack gap-3 pad" onSubmit={goOn}>
      <h2 id="sign-in-again">Your session has ended</h2>
      <p>
        It was ended from another place, or by itself after a time without use. Log in again to carry on where you were: nothing that you
        typed is lost.
      </p>
      {failure && <Notice tone="bad" title={failure} />}
      <Field label="E-mail" name="email" type="email" autoComplete="username" value={email} readOnly />
      {step === 'password' ? (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is this form and nothing else
        <Field label="Password" name="password" type="password" autoComplete="current-password" required autoFocus />
      ) : (
        <Field
          key={step}
          label={step === 'recovery' ? 'Recovery code' : 'Code from your authenticator'}
          name="code"
          inputMode={step === 'recovery' ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is this field and nothing else
          autoFocus
        />
      )}
      {step !== 'password' && (
        <Button look="plain" onClick={() => goTo(step === 'recovery' ? 'authenticator' : 'recovery')}>
          {step === 'recovery' ? 'Use my authenticator' : 'Use a recovery code'}
        </Button>
      )}
      <div className="row end">
        <Button onClick={leaveForLogin}>I am somebody else</Button>
        <Button look="primary" type="submit" disabled={pending}>
          {pending ? 'Logging in…' : 'Login'}
        </Button>
      </div>
    </form>
  );
};
