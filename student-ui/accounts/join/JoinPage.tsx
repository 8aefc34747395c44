import type { JoinChoices, JoinSchool } from '#api/contract/auth';
import { authMessages, isUsername } from '#api/contract/auth-messages';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiRefusal } from '../../../ui/api/failure.ts';
import { isRefused } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Below, Card, formClass } from '../../../ui/frame/Card.tsx';
import { homeOf } from '../../../ui/roles.ts';
import { askAuth } from '../form/ask.ts';
import { emailError, requiredError } from '../form/basic-checks.ts';
import { confirmationError, passwordError } from '../form/checks.ts';
import { PasswordFields } from '../form/PasswordFields.tsx';
import { useForm } from '../form/useForm.ts';
import { BirthdayStep } from './BirthdayStep.tsx';
import { CodeStep } from './CodeStep.tsx';
import styles from './Join.module.css';

type JoinStep =
  | { readonly at: 'code' }
  | { readonly at: 'birthday'; readonly school: JoinSchool }
  | { readonly at: 'name'; readonly school: JoinSchool; readonly choices: JoinChoices['choices'] }
  | { readonly at: 'account'; readonly school: JoinSchool };

const numbers = { code: 1, birthday: 2, name: 3, account: 4 } as const;

/** A student joins the school: code, date of birth, name, log-in. A wrong answer starts again. */
export const JoinPage = () => {
  const [step, setStep] = useState<JoinStep>({ at: 'code' });
  const [failure, setFailure] = useState<string>();
  const go = (next: JoinStep) => {
    setFailure(undefined);
    setStep(next);
  };
  const startAgain = (why: string) => {
    setFailure(why);
    setStep({ at: 'code' });
  };
  /** Some refusals use up the joining. Too many at once, or a server that starts, leave the way open. */
  const refused = (refusal: ApiRefusal) => {
    if (isRefused(refusal, 'invalid-input', 'refused', 'joined-already')) startAgain(refusal.message);
  };
  return (
    <Card
      title={step.at === 'code' ? 'Enter joining code' : `Join ${step.school.school}`}
      lead={
        step.at === 'code'
          ? 'From your teacher. It has 7 characters, and capitals matter.'
          : `${step.school.subject}, step ${numbers[step.at]} of 4`
      }
    >
      {failure && <Notice tone="bad" title={failure} />}
      {step.at === 'code' && (
        <CodeStep found={(school) => go({ at: 'birthday', school })} failed={setFailure} isFirstTry={failure === undefined} />
      )}
      {step.at === 'birthday' && (
        <BirthdayStep school={step.school} found={(choices) => go({ at: 'name', school: step.school, choices })} refused={refused} />
      )}
      {step.at === 'name' && (
        <NameStep
          school={step.school}
          choices={step.choices}
          chosen={() => go({ at: 'account', school: step.school })}
          missing={() => {
            setFailure('Check your date of birth. If your name is missing again, ask your teacher which date your school has.');
            setStep({ at: 'birthday', school: step.school });
          }}
          refused={refused}
        />
      )}
      {step.at === 'account' && <AccountStep school={step.school} failed={startAgain} />}
      <Below>
        <Link to="/login">{failure === authMessages.joinedAlready ? 'Go to the log-in' : 'I have an account: log in'}</Link>
      </Below>
    </Card>
  );
};

type NameStepProps = {
  readonly school: JoinSchool;
  readonly choices: JoinChoices['choices'];
  readonly chosen: () => void;
  /** None of the names is the student's. */
  readonly missing: () => void;
  readonly refused: (refusal: ApiRefusal) => void;
};

/** Ten names, some of them decoys; a wrong choice starts again, and a busy server does not. */
const NameStep = ({ school: { joining }, choices, chosen, missing, refused }: NameStepProps) => {
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => ({ choice: field('choice') === '' ? 'Choose your name.' : undefined }),
    send: (field) => askAuth('/join/name', { joining, choice: field('choice') }),
    done: chosen,
    onRefused: refused,
  });
  return (
    <form className={formClass} {...form}>
      {(failure ?? errors['choice']) && <Notice tone="bad" title={failure ?? errors['choice']} />}
      <fieldset className={`stack ${styles.names}`}>
        <legend>Which name is yours?</legend>
        {choices.map(({ choice, name }) => (
          <label key={choice} className="line gap-3">
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

type AccountStepProps = { readonly school: JoinSchool; readonly failed: (why: string) => void };

/** Creates the log-in. Where the school has an e-mail domain, only the part before the @ is typed. */
const AccountStep = ({ school: { joining, domain }, failed }: AccountStepProps) => {
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
      }),
    done: () => location.replace(homeOf('student')),
    onRefused: ({ message }) => {
      if (message === authMessages.joinAgain || message === authMessages.joinedAlready) failed(message);
    },
  });
  const hint = domain !== null && (
    <span className={`muted breaks ${styles.domain}`}>
      {authMessages.usernameHint}, followed by @{domain}
    </span>
  );
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field
        label={domain === null ? 'E-mail' : 'Username'}
        name="email"
        type={domain === null ? 'email' : 'text'}
        autoComplete="username"
        autoCapitalize="none"
        hint={hint}
        error={
          errors['email'] && (
            <>
              {errors['email']} {hint}
            </>
          )
        }
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
