import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { WaitStrip } from '../../ui/feedback/WaitStrip.tsx';
import { Logo } from '../../ui/frame/Logo.tsx';
import styles from './SignInPage.module.css';

export const SignInPage = () => {
  useEffect(() => {
    document.title = 'Log in · Marktrail';
  }, []);
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <p className={styles.product}>
          <Logo size={36} /> Marktrail
        </p>
        <h1>Log in</h1>
        <WaitStrip />
        <SignInForm />
      </div>
    </main>
  );
};

const SignInForm = () => {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    try {
      await api.signIn(textOf(form, 'email').trim(), textOf(form, 'password'));
      client.clear();
      await navigate(local(search.get('next')), { replace: true });
    } catch (error) {
      setFailure(isRefused(error) && [400, 401, 422].includes(error.problem.status) ? 'Login failed' : sentence(error));
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={signIn}>
      {failure && (
        <Notice tone="bad" title={failure}>
          {failure === 'Login failed' && <p>Check your e-mail address and password and try again.</p>}
        </Notice>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form and nothing else */}
      <Field label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Logging in…' : 'Login'}
      </Button>
    </form>
  );
};

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

/** Only an address of this origin: `next` comes from outside. */
const local = (next: string | null): string => (next !== null && /^\/(?![/\\])/u.test(next) ? next : '/');
