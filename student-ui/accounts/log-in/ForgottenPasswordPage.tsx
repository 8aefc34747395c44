import type { Done } from '#api/contract/auth';
import { Link, useLocation } from 'wouter';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { emailError } from '../form/basic-checks.ts';
import { useForm } from '../form/useForm.ts';
import { Below, formClass, Card } from '../../../ui/frame/Card.tsx';

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
