import type { JoinSchool } from '#api/contract/auth';
import { authMessages, isUsername } from '#api/contract/auth-messages';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { homeOf } from '../../../ui/roles.ts';
import { askAuth } from '../form/ask.ts';
import { emailError, requiredError } from '../form/basic-checks.ts';
import { confirmationError, passwordError } from '../form/checks.ts';
import { PasswordFields } from '../form/PasswordFields.tsx';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import styles from './Join.module.css';

type AccountStepProps = { readonly school: JoinSchool; readonly failed: (why: string) => void };

/** Creates the log-in. Where the school has an e-mail domain, only the part before the @ is typed. */
export const AccountStep = ({ school: { joining, domain }, failed }: AccountStepProps) => {
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => {
      const typed = field('email').trim();
      return {
        email:
          domain === null ? emailError(typed) : (requiredError(typed) ?? (isUsername(typed) ? undefined : authMessages.invalidUsername)),
        password: passwordError(field('password')),
        confirmation: confirmationError(field('password'), field('confirmation')),
      };
    },
    send: (field) =>
      askAuth('/join/account', {
        joining,
        email: field('email').trim(),
        password: field('password'),
        confirmation: field('confirmation'),
      }).catch((error: unknown) => {
        if (isRefused(error) && (error.message === authMessages.joinAgain || error.message === authMessages.joinedAlready))
          failed(error.message);
        throw error;
      }),
    done: () => location.replace(homeOf('student')),
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field
        label={domain === null ? 'E-mail' : 'Username'}
        name="email"
        type={domain === null ? 'email' : 'text'}
        autoComplete="username"
        autoCapitalize="none"
        hint={domain === null ? undefined : <span className={styles.domain}>followed by @{domain}</span>}
        error={errors['email']}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first of the fields that the step is about
        autoFocus
      />
      <PasswordFields errors={errors} />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Opening your account…' : 'Join'}
      </Button>
    </form>
  );
};
