import type { JoinChoices, JoinSchool } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { askAuth } from '../form/ask.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import { endsJoining } from './ends-joining.ts';
import styles from './Join.module.css';

type NameStepProps = {
  readonly school: JoinSchool;
  readonly choices: JoinChoices['choices'];
  readonly chosen: () => void;
  /** None of the names is the student's. */
  readonly missing: () => void;
  readonly failed: (why: string) => void;
};

/** Ten names, some of them decoys; a wrong choice starts again, and a busy server does not. */
export const NameStep = ({ school: { joining }, choices, chosen, missing, failed }: NameStepProps) => {
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => ({ choice: field('choice') === '' ? 'Choose your name.' : undefined }),
    send: (field) =>
      askAuth('/join/name', { joining, choice: field('choice') }).catch((error: unknown) => {
        if (endsJoining(error)) failed(error.message || authMessages.wrongName);
        throw error;
      }),
    done: chosen,
  });
  return (
    <form className={formClass} {...form}>
      {(failure ?? errors['choice']) && <Notice tone="bad" title={failure ?? errors['choice']} />}
      <fieldset className={styles.names}>
        <legend>Which name is yours?</legend>
        {choices.map(({ choice, name }) => (
          <label key={choice}>
            <input type="radio" name="choice" value={choice} />
            {name}
          </label>
        ))}
      </fieldset>
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'One moment…' : 'This is me'}
      </Button>
      <Button onClick={missing} disabled={busy}>
        My name is not here
      </Button>
    </form>
  );
};
