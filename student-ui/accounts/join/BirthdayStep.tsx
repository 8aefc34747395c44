import type { JoinChoices, JoinSchool, JoinWait } from '#api/contract/auth';
import { authMessages, EARLIEST_BIRTHDAY } from '#api/contract/auth-messages';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import { endsJoining } from './ends-joining.ts';
import { namesOnceFree, waitText } from './wait.ts';

type BirthdayStepProps = {
  readonly school: JoinSchool;
  readonly found: (choices: JoinChoices['choices']) => void;
  readonly failed: (why: string) => void;
};

/** Seconds for which the server may keep the question. */
const PATIENCE = 8;

/** Asks for the date of birth. Where too many students are joining, it waits, and goes on by itself. */
export const BirthdayStep = (step: BirthdayStepProps) => {
  const [typed, setTyped] = useState({ day: '', times: 0 });
  // A form of its own after waiting was given up: what the old one still hears is nobody's.
  return <BirthdayForm key={typed.times} {...step} typed={typed.day} again={(day) => setTyped({ day, times: typed.times + 1 })} />;
};

type FormProps = BirthdayStepProps & { readonly typed: string; readonly again: (day: string) => void };

const BirthdayForm = ({ school: { joining }, found, failed, typed, again }: FormProps) => {
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const [waiting, setWaiting] = useState<{ readonly day: string; readonly wait: JoinWait }>();
  const asking = useRef<AbortController>(undefined);
  useEffect(() => () => asking.current?.abort(), []);
  const { form, busy, errors, failure } = useForm<JoinChoices>({
    check: (field) => {
      const day = field('dateOfBirth');
      if (day === '') return { dateOfBirth: authMessages.required };
      return { dateOfBirth: day < EARLIEST_BIRTHDAY || day > today ? authMessages.noBirthday : undefined };
    },
    send: (field) => {
      asking.current = new AbortController();
      const { signal } = asking.current;
      const day = field('dateOfBirth');
      return namesOnceFree({
        ask: () => askAuth<JoinChoices>('/join/birthday', { joining, dateOfBirth: day, patience: PATIENCE }),
        waits: (wait) => setWaiting({ day, wait }),
        signal,
      })
        .catch((error: unknown) => {
          if (endsJoining(error) && error.errors.length === 0 && !signal.aborted) failed(error.message);
          throw error;
        })
        .finally(() => setWaiting(undefined));
    },
    done: ({ choices }) => found(choices),
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      {waiting && <Waiting wait={waiting.wait} />}
      <Field
        label="Date of birth"
        name="dateOfBirth"
        type="date"
        min={EARLIEST_BIRTHDAY}
        max={today}
        defaultValue={typed}
        readOnly={waiting !== undefined}
        autoComplete="bday"
        error={errors['dateOfBirth']}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is this field and nothing else
        autoFocus
      />
      <Button look="primary" type="submit" disabled={busy}>
        {waiting ? 'Waiting…' : busy ? 'One moment…' : 'Continue'}
      </Button>
      {waiting && <Button onClick={() => again(waiting.day)}>Change the date</Button>}
    </form>
  );
};

const Waiting = ({ wait }: { readonly wait: JoinWait }) => {
  const { title, lines } = waitText(wait);
  return (
    <Notice tone="plain" title={title}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Notice>
  );
};
