import type { JoinChoices, JoinSchool } from '#api/contract/auth';
import { authMessages, EARLIEST_BIRTHDAY } from '#api/contract/auth-messages';
import { useState } from 'react';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';

type BirthdayStepProps = {
  readonly school: JoinSchool;
  readonly found: (choices: JoinChoices['choices']) => void;
  readonly failed: (why: string) => void;
};

export const BirthdayStep = ({ school: { joining }, found, failed }: BirthdayStepProps) => {
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const { form, busy, errors, failure } = useForm<JoinChoices>({
    check: (field) => {
      const day = field('dateOfBirth');
      if (day === '') return { dateOfBirth: authMessages.required };
      return { dateOfBirth: day < EARLIEST_BIRTHDAY || day > today ? authMessages.noBirthday : undefined };
    },
    send: (field) =>
      askAuth<JoinChoices>('/join/birthday', { joining, dateOfBirth: field('dateOfBirth') }).catch((error: unknown) => {
        // Too many at once: the way so far stays open.
        if (isRefused(error) && error.errors.length === 0 && error.code !== 'rate-limited') failed(error.message);
        throw error;
      }),
    done: ({ choices }) => found(choices),
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field
        label="Date of birth"
        name="dateOfBirth"
        type="date"
        min={EARLIEST_BIRTHDAY}
        max={today}
        autoComplete="bday"
        error={errors['dateOfBirth']}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is this field and nothing else
        autoFocus
      />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'One moment…' : 'Continue'}
      </Button>
    </form>
  );
};
