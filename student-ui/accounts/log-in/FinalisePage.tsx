import type { Done } from '#api/contract/auth';
import { authMessages, MIN_SCHOOL_NAME } from '#api/contract/auth-messages';
import { Link, useLocation } from 'wouter';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { emailError, requiredError } from '../form/basic-checks.ts';
import { useForm } from '../form/useForm.ts';
import { Below, formClass, Card } from '../../../ui/frame/Card.tsx';
import { useMailedLink, VerifyPage } from './VerifyPage.tsx';

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
    done: () => navigate('/login?welcome', { replace: true }),
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
