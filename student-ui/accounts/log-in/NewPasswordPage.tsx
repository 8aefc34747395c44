import type { Done, PasswordLink } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import { useCallback, useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { askAuth } from '../form/ask.ts';
import { emailError } from '../form/basic-checks.ts';
import { confirmationError, passwordError, nameError } from '../form/checks.ts';
import { PasswordFields } from '../form/PasswordFields.tsx';
import { useForm } from '../form/useForm.ts';
import { Below, formClass, Card } from '../../../ui/frame/Card.tsx';

/** The target of password-reset and invitation links. */
export const NewPasswordPage = () => {
  const [search] = useSearchParams();
  const token = search.get('token');
  const { link, failure, again } = useLink(token);
  const [done, setDone] = useState<string>();
  const [title, sentence] = authMessages.unauthorised;
  if (!token)
    return (
      <Card title={title} lead={sentence}>
        {toLogIn}
      </Card>
    );
  if (done)
    return (
      <Card title={done}>
        <p style={{ marginTop: 16 }}>
          <Link className={buttonClass('primary')} to="/login">
            Go to the log-in
          </Link>
        </p>
      </Card>
    );
  if (isRefused(failure, 'link-dead', 'invalid-input'))
    return (
      <Card title="This link does not work">
        <Notice tone="bad" title={authMessages.linkDead} />
        {toLogIn}
      </Card>
    );
  if (failure !== undefined)
    return (
      <Card title="Set a new password">
        <Failure error={failure} retry={again} />
      </Card>
    );
  if (link === undefined) return <Skeleton label="Checking the link" />;
  return link.kind === 'password' ? (
    <Card title="Set a new password">
      <PasswordForm email={link.email} send={(body) => askAuth('/password/new', { token, ...body })} done={setDone} />
    </Card>
  ) : (
    <Card title="Activate your account" lead={`${link.school} has invited ${link.email}. Choose a password to begin.`}>
      <PasswordForm email={link.email} name={link.name} send={(body) => askAuth('/activation/accept', { token, ...body })} done={setDone} />
    </Card>
  );
};

const toLogIn = (
  <p style={{ marginTop: 16 }}>
    <Link to="/forgot-password">Ask for a new link</Link>
  </p>
);

/** What the link is for. One that is dead says so before anybody has typed a password. */
const useLink = (token: string | null) => {
  const [link, setLink] = useState<PasswordLink>();
  const [failure, setFailure] = useState<unknown>();
  const ask = useCallback(() => {
    if (!token) return;
    askAuth<PasswordLink>('/activation', { token }).then(setLink, setFailure);
  }, [token]);
  useEffect(ask, [ask]);
  const again = () => {
    setFailure(undefined);
    ask();
  };
  return { link, failure, again };
};

type PasswordFormProps = {
  /** Under which a password manager keeps it. */
  readonly email: string;
  /** Also required, if given. */
  readonly name?: string;
  readonly send: (body: Readonly<Record<string, string>>) => Promise<Done>;
  readonly done: (message: string) => void;
};

const PasswordForm = ({ email, name, send, done }: PasswordFormProps) => {
  const asksName = name !== undefined;
  const { form, busy, errors, failure } = useForm<Done>({
    check: (field) => ({
      ...(asksName ? { name: nameError(field('name')) } : {}),
      password: passwordError(field('password')),
      confirmation: confirmationError(field('password'), field('confirmation')),
    }),
    send: (field) =>
      send({ ...(asksName ? { name: field('name') } : {}), password: field('password'), confirmation: field('confirmation') }),
    done: ({ message }) => done(message),
  });
  return (
    <form className={formClass} {...form}>
      {failure && (
        <Notice tone="bad" title={failure}>
          <p>
            <Link to="/forgot-password">Ask for a new link</Link>
          </p>
        </Notice>
      )}
      {asksName && <Field label="Name" name="name" autoComplete="name" defaultValue={name} error={errors['name']} required />}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordFields errors={errors} label="New password" />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Saving…' : 'Save'}
      </Button>
    </form>
  );
};

/** The answer is the same whether or not the account exists. */
export const ForgottenPasswordPage = () => {
  const [, go] = useLocation();
  const { form, busy, errors, failure } = useForm<Done>({
    check: (field) => ({ email: emailError(field('email')) }),
    send: (field) => askAuth('/password/forgotten', { email: field('email').trim() }),
    done: () => go('/login?forgotten'),
  });
  return (
    <Card title="Forgotten Password" lead="Enter your e-mail address: a link to choose a new password comes by e-mail.">
      <form className={formClass} {...form}>
        {failure && <Notice tone="bad" title={failure} />}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form and nothing else */}
        <Field label="E-mail" name="email" type="email" autoComplete="username" error={errors['email']} required autoFocus />
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Sending…' : 'Send the link'}
        </Button>
      </form>
      <Below>
        <Link to="/login">Back to the log-in</Link>
      </Below>
    </Card>
  );
};
