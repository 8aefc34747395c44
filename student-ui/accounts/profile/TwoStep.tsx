import type { Profile, TwoStepStarted } from '#api/contract/auth';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { QrCode } from '../../../ui/controls/QrCode.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { requiredError } from '../form/basic-checks.ts';
import { endTwoStep, newRecoveryCodes, secretIn, startTwoStep, verifyTwoStep } from '../form/two-step.ts';
import { useForm } from '../form/useForm.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import styles from './Profile.module.css';

/** The current step: confirming an action by password, scanning, or saving the codes. */
type Step =
  | { readonly at: 'rest'; readonly message?: string }
  | { readonly at: 'password'; readonly act: 'on' | 'off' | 'codes' }
  | { readonly at: 'scan'; readonly started: TwoStepStarted }
  | { readonly at: 'codes'; readonly codes: readonly string[] };

/** Switches two-step sign-in on and off. */
export const TwoStep = ({ profile, changed }: { readonly profile: Profile; readonly changed: () => void }) => {
  const [step, setStep] = useState<Step>({ at: 'rest' });
  const rest = (message?: string) => {
    setStep({ at: 'rest', ...(message === undefined ? {} : { message }) });
    changed();
  };
  return (
    <section className={styles.part} aria-labelledby="two-step">
      <h2 id="two-step">Two-step sign-in</h2>
      {step.at === 'rest' && (
        <>
          {step.message && <Notice tone="good" title={step.message} />}
          <p>
            {profile.twoStep
              ? 'On: after your password you are asked for a code of your authenticator.'
              : 'Off. With it, a stolen password alone opens nothing: you are asked for a code of an authenticator app as well. Switching it on logs you out everywhere else and ends your tokens.'}
          </p>
          <div className={styles.buttons}>
            {profile.twoStep ? (
              <>
                <Button onClick={() => setStep({ at: 'password', act: 'codes' })}>New recovery codes</Button>
                <Button onClick={() => setStep({ at: 'password', act: 'off' })}>Switch off</Button>
              </>
            ) : (
              <Button onClick={() => setStep({ at: 'password', act: 'on' })}>Switch on</Button>
            )}
          </div>
        </>
      )}
      {step.at === 'password' && step.act === 'on' && (
        <PasswordForm
          act="Continue"
          send={startTwoStep}
          done={(started) => setStep({ at: 'scan', started })}
          cancel={() => setStep({ at: 'rest' })}
        />
      )}
      {step.at === 'password' && step.act === 'off' && (
        <PasswordForm
          act="Switch off"
          send={endTwoStep}
          done={() => rest('Two-step sign-in is off.')}
          cancel={() => setStep({ at: 'rest' })}
        />
      )}
      {step.at === 'password' && step.act === 'codes' && (
        <PasswordForm
          act="Make new codes"
          send={newRecoveryCodes}
          done={({ backupCodes }) => setStep({ at: 'codes', codes: backupCodes })}
          cancel={() => setStep({ at: 'rest' })}
        />
      )}
      {step.at === 'scan' && (
        <ScanForm
          started={step.started}
          done={() => {
            setStep({ at: 'codes', codes: step.started.backupCodes });
            changed();
          }}
          cancel={() => setStep({ at: 'rest' })}
        />
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} done={() => rest('Two-step sign-in is on.')} />}
    </section>
  );
};

type PasswordFormProps<Answer> = {
  readonly act: string;
  readonly send: (password: string) => Promise<Answer>;
  readonly done: (answer: Answer) => void;
  readonly cancel: () => void;
};

const PasswordForm = <Answer,>({ act, send, done, cancel }: PasswordFormProps<Answer>): ReactNode => {
  const { form, busy, errors, failure } = useForm<Answer>({
    check: (field) => ({ password: requiredError(field('password')) }),
    send: (field) => send(field('password')),
    done,
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <Field
        label="Your password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors['password']}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- its button was just pressed
        autoFocus
      />
      <div className={styles.buttons}>
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Checking…' : act}
        </Button>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </form>
  );
};

type ScanFormProps = { readonly started: TwoStepStarted; readonly done: () => void; readonly cancel: () => void };

const ScanForm = ({ started, done, cancel }: ScanFormProps) => {
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => ({ code: requiredError(field('code')) }),
    send: (field) => verifyTwoStep(field('code').replaceAll(/\s/g, '')),
    done,
  });
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <p>Scan this with an authenticator app on your phone, or type the key into it. Then enter the code that it shows.</p>
      <QrCode className={styles.qr} text={started.totpURI} label="QR code for your authenticator; the key is beside it as text" />
      <p>
        Key: <code className={styles.secret}>{secretIn(started.totpURI)}</code>
      </p>
      <Field
        label="Code from your authenticator"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors['code']}
        required
      />
      <div className={styles.buttons}>
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Checking…' : 'Switch on'}
        </Button>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </form>
  );
};
