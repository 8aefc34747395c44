import type { Profile } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { requiredError } from '../form/basic-checks.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';

export const UnlockForm = ({ profile, unlocked }: { readonly profile: Profile; readonly unlocked: () => void }) => {
  const { form, busy, errors, failure, setFailure } = useForm<unknown>({
    check: (field) => ({ password: requiredError(field('password')) }),
    send: (field) =>
      askAuth('/profile/unlock', { password: field('password') }).catch((error: unknown) => {
        if (isRefused(error)) setFailure(error.message);
        throw error;
      }),
    done: unlocked,
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field label="Name" value={profile.name} readOnly disabled />
      <Field label="E-mail" value={profile.email} readOnly disabled />
      <input type="hidden" name="username" autoComplete="username" value={profile.email} />
      <Field
        label="Current password"
        name="password"
        type="password"
        autoComplete="current-password"
        hint={authMessages.locked}
        error={errors['password']}
        required
      />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Checking…' : 'Unlock'}
      </Button>
    </form>
  );
};
