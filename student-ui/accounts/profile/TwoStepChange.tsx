import type { RecoveryCodes, TwoStepStarted } from '#api/contract/auth';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { QrCode } from '../../../ui/controls/QrCode.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formClass } from '../../../ui/frame/Card.tsx';
import { connection } from '../form/ask.ts';
import { requiredError } from '../form/basic-checks.ts';
import { useForm } from '../form/useForm.ts';
import styles from './Profile.module.css';
import { ShownOnce } from './ShownOnce.tsx';

const { identity, verifyCode } = connection.api;

/** The current step: confirming an action by password, scanning, or saving the codes. */
type Step =
  | { readonly at: 'on' | 'off' | 'new codes' }
  | { readonly at: 'scan'; readonly started: TwoStepStarted }
  | { readonly at: 'codes'; readonly codes: readonly string[] };

type TwoStepChangeProps = {
  readonly begins: 'on' | 'off' | 'new codes';
  readonly done: (message: string) => void;
  readonly changed: () => void;
  readonly cancel: () => void;
};

/** The steps of a change, from the password to the codes. */
export const TwoStepChange = ({ begins, done, changed, cancel }: TwoStepChangeProps) => {
  const [step, setStep] = useState<Step>({ at: begins });
  return (
    <>
      {step.at === 'on' && (
        <PasswordForm<TwoStepStarted>
          path="/two-factor/enable"
          act="Continue"
          done={(started) => setStep({ at: 'scan', started })}
          cancel={cancel}
        />
      )}
      {step.at === 'off' && (
        <PasswordForm path="/two-factor/disable" act="Switch off" done={() => done('Two-step sign-in is off.')} cancel={cancel} />
      )}
      {step.at === 'new codes' && (
        <PasswordForm<RecoveryCodes>
          path="/two-factor/generate-backup-codes"
          act="Make new codes"
          done={({ backupCodes }) => setStep({ at: 'codes', codes: backupCodes })}
          cancel={cancel}
        />
      )}
      {step.at === 'scan' && (
        <ScanForm
          started={step.started}
          done={() => {
            setStep({ at: 'codes', codes: step.started.backupCodes });
            changed();
          }}
          cancel={cancel}
        />
      )}
      {step.at === 'codes' && <Codes codes={step.codes} done={() => done('Two-step sign-in is on.')} />}
    </>
  );
};

type PasswordFormProps<Answer> = {
  /** Below /api/identity. */
  readonly path: string;
  readonly act: string;
  readonly done: (answer: Answer) => void;
  readonly cancel: () => void;
};

const PasswordForm = <Answer,>({ path, act, done, cancel }: PasswordFormProps<Answer>): ReactNode => {
  const { form, busy, errors, failure } = useForm<Answer>({
    check: (field) => ({ password: requiredError(field('password')) }),
    send: (field) => identity(path, { password: field('password') }),
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
      <div className="row gap-3">
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Checking…' : act}
        </Button>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </form>
  );
};

type ScanFormProps = { readonly started: TwoStepStarted; readonly done: () => void; readonly cancel: () => void };

const ScanForm = ({ started: { totpURI }, done, cancel }: ScanFormProps) => {
  const { form, busy, errors, failure } = useForm<unknown>({
    check: (field) => ({ code: requiredError(field('code')) }),
    send: (field) => verifyCode(field('code').replaceAll(/\s/g, ''), 'authenticator'),
    done,
  });
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <form className={formClass} {...form}>
      {failure && <Notice tone="bad" title={failure} />}
      <p>Scan this with an authenticator app on your phone, or type the key into it. Then enter the code that it shows.</p>
      <QrCode className={styles.qr} text={totpURI} label="QR code for your authenticator; the key is beside it as text" />
      <p>
        {/* In groups of four, for typing by hand. */}
        Key: <code className="breaks">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Field
        label="Code from your authenticator"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors['code']}
        required
      />
      <div className="row gap-3">
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Checking…' : 'Switch on'}
        </Button>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </form>
  );
};

const Codes = ({ codes, done }: { readonly codes: readonly string[]; readonly done: () => void }) => (
  <ShownOnce
    title="Keep these recovery codes now: they are not shown again."
    text={codes.join('\n')}
    notCopied="They could not be copied: write them down."
    more={<Button onClick={() => window.print()}>Print</Button>}
    kept="I have kept them"
    onKept={done}
  >
    <p>Each of them lets you in once, should your phone be lost. Keep them where you keep other important papers.</p>
    <ul className={styles.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </ShownOnce>
);
