import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { requiredError } from '../form/basic-checks.ts';
import { connection } from '../form/ask.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';

/** The second step of a log-in, for staff who have switched it on: a code of their authenticator, or a recovery code. */
export const TwoStepForm = ({ signedIn }: { readonly signedIn: () => Promise<void> }) => {
  const [recovering, setRecovering] = useState(false);
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => ({ code: requiredError(field('code')) }),
    send: (field) => connection.api.verifyCode(field('code').trim(), recovering ? 'recovery' : 'authenticator'),
    done: () => void signedIn(),
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field
        key={String(recovering)}
        label={recovering ? 'Recovery code' : 'Code from your authenticator'}
        name="code"
        inputMode={recovering ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        error={errors['code']}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is this field and nothing else
        autoFocus
      />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Checking…' : 'Continue'}
      </Button>
      <Button look="plain" onClick={() => setRecovering(!recovering)}>
        {recovering ? 'Use my authenticator' : 'Use a recovery code'}
      </Button>
    </form>
  );
};
