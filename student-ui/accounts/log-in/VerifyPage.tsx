import type { Done, Verified } from '#api/contract/auth';
import { authMessages, MIN_SCHOOL_NAME } from '#api/contract/auth-messages';
import { useEffect, useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { askAuth } from '../form/ask.ts';
import { emailError, requiredError } from '../form/basic-checks.ts';
import { useForm } from '../form/useForm.ts';
import { Below, Card, formClass } from '../../../ui/frame/Card.tsx';

/** The target of e-mail verification links: continues a registration, or confirms a new address. */
export const VerifyPage = () => {
  const { token, verified, failure } = useMailedLink();
  if (verified?.kind === 'registration') return <Redirect to={`/finalise?${new URLSearchParams({ token })}`} replace />;
  if (!verified && !failure) return <Skeleton label="Checking the link" />;
  return (
    <Card title={verified ? 'Thank you' : 'This link does not work'}>
      <Notice tone={verified ? 'good' : 'bad'} title={verified?.message ?? failure} />
      <Below>
        <Link to="/login">Go to the log-in</Link>
        <Link to="/register">Sign Up</Link>
      </Below>
    </Card>
  );
};

/** The last step of a school's registration, opened by the link in the e-mail. */
export const FinalisePage = () => {
  const [, navigate] = useLocation();
  const { token, verified } = useMailedLink();
  const { form, busy, errors, failure } = useForm<Done>({
    check: (field) => ({
      email: emailError(field('email')),
      password: requiredError(field('password')),
      school: requiredError(field('school')) ?? (field('school').trim().length < MIN_SCHOOL_NAME ? authMessages.schoolShort : undefined),
    }),
    send: (field) =>
      askAuth('/registration/finalise', {
        token,
        email: field('email').trim(),
        password: field('password'),
        school: field('school').trim(),
      }),
    done: () => navigate('/login?finalised', { replace: true }),
  });
  if (token === '')
    return (
      <Card title="Finalise registration" lead="Open this page by the link in the e-mail that came when you signed up.">
        {signUpAnew}
      </Card>
    );
  if (verified?.kind !== 'registration') return <VerifyPage />;
  return (
    <Card title="Finalise registration" lead="Confirm who you are, and say what your school is called.">
      <form className={formClass} {...form}>
        {failure && (
          <Notice tone="bad" title={failure}>
            {failure === authMessages.linkDead && signUpAnew}
          </Notice>
        )}
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={verified.email}
          error={errors['email']}
          required
        />
        <Field label="Password" name="password" type="password" autoComplete="current-password" error={errors['password']} required />
        <Field
          label="School name"
          name="school"
          autoComplete="organization"
          hint={`At least ${MIN_SCHOOL_NAME} characters`}
          error={errors['school']}
          required
        />
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Opening your school…' : 'Open my school'}
        </Button>
      </form>
    </Card>
  );
};

const signUpAnew = (
  <Below>
    <Link to="/register">Sign up again</Link>
    <Link to="/login">Go to the log-in</Link>
  </Below>
);

/** What the link of the address is for, which its page says before anything is typed. */
const useMailedLink = () => {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [verified, setVerified] = useState<Verified>();
  const [failure, setFailure] = useState<string | undefined>(token === '' ? authMessages.linkDead : undefined);
  useEffect(() => {
    if (token === '') return;
    const verification = once(token, () => askAuth<Verified>('/verify', { token }));
    verification.then(setVerified, (error: unknown) => setFailure(sentence(error)));
  }, [token]);
  return { token, verified, failure };
};

/** A confirmation link works once, so a second render must not ask again. */
const askedBefore = new Map<string, Promise<Verified>>();
const once = (token: string, ask: () => Promise<Verified>): Promise<Verified> => {
  const before = askedBefore.get(token) ?? ask();
  askedBefore.set(token, before);
  return before;
};
