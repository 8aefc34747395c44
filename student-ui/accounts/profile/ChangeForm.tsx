import type { Done, Profile } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { emailError } from '../form/basic-checks.ts';
import { newConfirmationError, nameError, newPasswordError } from '../form/checks.ts';
import { PasswordFields } from '../form/PasswordFields.tsx';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import { UnlockDialog } from './UnlockForm.tsx';

export const ChangeForm = ({ profile, changed }: { readonly profile: Profile; readonly changed: () => void }) => {
  const [message, setMessage] = useState<string>();
  const [locked, setLocked] = useState(false);
  const { form, busy, errors, failure, reason, setFailure } = useForm<Done>({
    check: (field) => {
      const password = field('password');
      return {
        name: nameError(field('name')),
        email: emailError(field('email')),
        password: newPasswordError(password),
        confirmation: newConfirmationError(password, field('confirmation')),
      };
    },
    send: (field) => {
      const [name, email] = [field('name').trim(), field('email').trim()];
      return askAuth<Done>('/profile', {
        ...(name === profile.name ? {} : { name }),
        ...(email === profile.email ? {} : { email }),
        password: field('password'),
        confirmation: field('confirmation'),
      });
    },
    done: (answer) => {
      setMessage(answer.message);
      changed();
    },
    refused: authMessages.profileFailed,
    onRefused: ({ code }) => {
      setMessage(undefined);
      setLocked(code === 'locked');
    },
  });
  const unlocked = () => {
    setLocked(false);
    setFailure(undefined);
  };
  return (
    <>
      <form className={formClass} {...form}>
        {failure && (
          <Notice tone="bad" title={failure}>
            {reason && <p>{reason}</p>}
          </Notice>
        )}
        {message && <Notice tone="good" title={message} />}
        {profile.newEmail && (
          <Notice title={`${profile.newEmail} becomes your e-mail address when you open the link that was sent to it.`} />
        )}
        <Field label="Name" name="name" autoComplete="name" defaultValue={profile.name} error={errors['name']} required />
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={profile.email}
          error={errors['email']}
          required
        />
        <PasswordFields errors={errors} label="New password, or empty to keep yours" required={false} />
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Saving…' : 'Save'}
        </Button>
      </form>
      <UnlockDialog
        title="Your profile is locked again"
        open={locked}
        onClose={() => setLocked(false)}
        profile={profile}
        unlocked={unlocked}
      />
    </>
  );
};
