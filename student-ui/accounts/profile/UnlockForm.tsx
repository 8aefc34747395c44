import type { Profile } from '#api/contract/auth';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { requiredError } from '../form/basic-checks.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';

type UnlockProps = { readonly profile: Profile; readonly unlocked: () => void };

export const UnlockForm = ({ profile, unlocked }: UnlockProps) => {
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => ({ password: requiredError(field('password')) }),
    send: (field) => askAuth('/profile/unlock', { password: field('password') }),
    done: unlocked,
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field label="Name" value={profile.name} readOnly disabled />
      <Field label="E-mail" value={profile.email} readOnly disabled />
      <input type="hidden" name="username" autoComplete="username" value={profile.email} />
      <Field label="Current password" name="password" type="password" autoComplete="current-password" error={errors['password']} required />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Checking…' : 'Unlock'}
      </Button>
    </form>
  );
};

type UnlockDialogProps = UnlockProps & { readonly title: string; readonly open: boolean; readonly onClose: () => void };

/** The same above what has been typed. */
export const UnlockDialog = ({ title, open, onClose, ...unlock }: UnlockDialogProps) => (
  <Dialog title={title} open={open} onClose={onClose} begins="field">
    <div className="pad">
      <UnlockForm {...unlock} />
    </div>
  </Dialog>
);
