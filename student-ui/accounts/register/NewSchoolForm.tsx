import type { Done } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import type { Challenge } from 'altcha-lib';
import { useCallback, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { LegalDialog } from '../../../ui/site/Footer.tsx';
import { askAuth } from '../form/ask.ts';
import { emailError } from '../form/basic-checks.ts';
import { confirmationError, passwordError, nameError } from '../form/checks.ts';
import { PasswordFields } from '../form/PasswordFields.tsx';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import styles from './Register.module.css';

/** Registers a school; the rest follows by e-mail. */
export const NewSchoolForm = () => {
  const robot = useRobotCheck();
  const [reading, setReading] = useState(false);
  const [message, setMessage] = useState<string>();
  const { form, busy, errors, failure, reason } = useForm<Done>({
    check: (field) => ({
      name: nameError(field('name')),
      email: emailError(field('email')),
      password: passwordError(field('password')),
      confirmation: confirmationError(field('password'), field('confirmation')),
      terms: field('terms') === 'on' ? undefined : authMessages.termsMissing,
    }),
    send: async (field) => {
      const solved = await robot.begin();
      robot.forget();
      return askAuth('/registration', {
        name: field('name').trim(),
        email: field('email').trim(),
        password: field('password'),
        confirmation: field('confirmation'),
        terms: true,
        robot: solved,
      });
    },
    done: (answer, filled) => {
      filled.reset();
      setMessage(answer.message);
    },
    refused: authMessages.registrationFailed,
  });
  return (
    <form className={formClass} {...form}>
      {failure && (
        <Notice tone="bad" title={failure}>
          {reason && <p>{reason}</p>}
        </Notice>
      )}
      {message && <Notice tone="good" title={message} />}
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        error={errors['name']}
        onFocus={() => void robot.begin().catch(() => undefined)}
        required
      />
      <Field label="E-mail" name="email" type="email" autoComplete="username" error={errors['email']} required />
      <PasswordFields errors={errors} />
      <div>
        <div className={`line ${styles.terms}`}>
          <input type="checkbox" id="terms" name="terms" aria-invalid={errors['terms'] ? true : undefined} aria-describedby="terms-error" />
          <label htmlFor="terms">I agree to the terms and conditions</label>
          <Button look="plain" onClick={() => setReading(true)}>
            Read them
          </Button>
        </div>
        <p id="terms-error" className="failed small">
          {errors['terms']}
        </p>
      </div>
      <p className="muted small" role="status">
        {robot.sentence}
      </p>
      <Button look="primary" type="submit" disabled={busy || message !== undefined}>
        {busy ? 'Signing up…' : 'Sign Up'}
      </Button>
      <LegalDialog open={reading ? 'terms' : undefined} onClose={() => setReading(false)} />
    </form>
  );
};

type State = 'idle' | 'working' | 'passed' | 'failed';

const sentences: Readonly<Record<State, string>> = {
  idle: 'A robot check runs by itself when you begin to type.',
  working: 'Robot check: one moment…',
  passed: 'Robot check passed.',
  failed: authMessages.robot,
};

/** Starts when the form is first touched, so that it is done before the form is filled in. A solution is valid once. */
const useRobotCheck = () => {
  const [state, setState] = useState<State>('idle');
  const solving = useRef<Promise<string>>(undefined);
  const begin = useCallback((): Promise<string> => {
    solving.current ??= (async () => {
      setState('working');
      try {
        const solved = await solveRobotCheck();
        setState('passed');
        return solved;
      } catch (error) {
        solving.current = undefined;
        setState('failed');
        throw error;
      }
    })();
    return solving.current;
  }, []);
  const forget = useCallback(() => {
    solving.current = undefined;
    setState('idle');
  }, []);
  return { begin, forget, sentence: sentences[state] };
};

/**
 * Solves the server's proof of work, which is cheap for a browser and expensive for a robot: about a second, in a worker.
 *
 * @returns the `robot` field of `/api/door/registration`
 * @throws ApiRefusal, Unreachable, or an Error where this browser cannot do it
 */
const solveRobotCheck = async (): Promise<string> => {
  const [{ solveChallengeWorkers }, challenge] = await Promise.all([import('altcha-lib'), askAuth<Challenge>('/robot-check')]);
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(4, navigator.hardwareConcurrency || 2),
    createWorker: () => new Worker(new URL('./robot-worker.ts', import.meta.url), { type: 'module' }),
  });
  if (!solution) throw new Error('The robot check did not finish.');
  return btoa(JSON.stringify({ challenge, solution }));
};
