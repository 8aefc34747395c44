import type { JoinChoices, JoinSchool, JoinWait } from '#api/contract/auth';
import { authMessages, EARLIEST_BIRTHDAY } from '#api/contract/auth-messages';
import { useEffect, useRef, useState } from 'react';
import type { ApiRefusal } from '../../../ui/api/failure.ts';
import { isCertain } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';

type BirthdayStepProps = {
  readonly school: JoinSchool;
  readonly found: (choices: JoinChoices['choices']) => void;
  readonly refused: (refusal: ApiRefusal) => void;
};

/** Seconds for which the server may keep the question. */
const PATIENCE = 8;

/** Asks for the date of birth. Where too many students are joining, it waits, and goes on by itself. */
export const BirthdayStep = (step: BirthdayStepProps) => {
  const [typed, setTyped] = useState({ day: '', times: 0 });
  // A new form once waiting is given up: an answer to the old one is ignored.
  return <BirthdayForm key={typed.times} {...step} typed={typed.day} again={(day) => setTyped({ day, times: typed.times + 1 })} />;
};

type FormProps = BirthdayStepProps & { readonly typed: string; readonly again: (day: string) => void };

const BirthdayForm = ({ school: { joining }, found, refused, typed, again }: FormProps) => {
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
        onWait: (wait) => setWaiting({ day, wait }),
        signal,
      }).finally(() => setWaiting(undefined));
    },
    done: ({ choices }) => found(choices),
    onRefused: (refusal) => {
      if (refusal.errors.length === 0 && asking.current?.signal.aborted !== true) refused(refusal);
    },
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
      {lines.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
};

type Asking = {
  readonly ask: () => Promise<JoinChoices>;
  /** There is no place yet. */
  readonly onWait: (wait: JoinWait) => void;
  readonly signal: AbortSignal;
  readonly pause?: (ms: number) => Promise<void>;
};

/** The server keeps each question for some seconds; where it does not, because very many wait, the page does. */
const AGAIN_MS = 1_000;
const KEPT_MS = 3_000;

/** The names for a date of birth, as soon as there is a place. Whoever waits goes on waiting through a connection that breaks. */
export const namesOnceFree = async ({ ask, onWait, signal, pause = sleep }: Asking): Promise<JoinChoices> => {
  let isWaiting = false;
  for (;;) {
    const since = performance.now();
    try {
      const answer = await ask();
      signal.throwIfAborted();
      if (!answer.wait) return answer;
      isWaiting = true;
      onWait(answer.wait);
    } catch (error) {
      if (!isWaiting || isCertain(error) || signal.aborted) throw error;
    }
    await pause(performance.now() - since < KEPT_MS ? 4 * AGAIN_MS : AGAIN_MS);
    signal.throwIfAborted();
  }
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whose turn it is, how long it takes, and what helps. */
export const waitText = ({ seconds, ahead, joining }: JoinWait): { readonly title: string; readonly lines: readonly string[] } => {
  const minutes = Math.ceil(seconds / 60);
  const latest = minutes === 1 ? 'within a minute' : `after ${minutes} minutes at the latest`;
  return {
    title: ahead === 0 ? 'Please wait: you are next.' : `Please wait: ${ahead === 1 ? 'one is' : `${ahead} are`} before you.`,
    lines: [
      joining === 0
        ? `Too many dates of birth were tried here without anybody joining. You go on ${latest}.`
        : `${joining === 1 ? 'Somebody is' : `${joining} others are`} joining here just now. You go on as soon as there is a place: usually in a minute or two, and ${latest}.`,
      'Keep this page open. There is nothing to type again.',
      'To make it quicker, ask a teacher to log in to Marktrail here, and to choose “Let them go on” on the page of the class.',
    ],
  };
};
