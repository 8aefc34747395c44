import { Suspense, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { isRefused, sentence } from '../../../ui/api/failure.ts';
import { useSending } from '../../../ui/sending/useSending.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { emailError, fieldText, requiredError } from '../form/basic-checks.ts';
import { ownAddress, signIn, whoAmI } from '../form/ask.ts';
import { useSite } from '../../../ui/site/useSite.ts';
import { homeOf } from '../../../ui/roles.ts';
import { Below, formClass, Card } from '../../../ui/frame/Card.tsx';

// With these come all messages about accounts.
const SentHere = lazily(() => import('./SentHere.tsx'), 'SentHere');
const SocialSignIn = lazily(() => import('../form/SocialSignIn.tsx'), 'SocialSignIn');
const TwoStepForm = lazily(() => import('./TwoStepForm.tsx'), 'TwoStepForm');

export const LogInPage = () => {
  const [search] = useSearchParams();
  const next = ownAddress(search.get('next'));
  const [twoStep, setTwoStep] = useState(false);
  const sent = (['finalised', 'forgotten', 'loggedOut', 'next'] as const).find((why) => search.has(why));
  const { social } = useSite() ?? {};
  const goOn = async () => {
    const role = await whoAmI();
    if (role) location.replace(next ?? homeOf(role));
  };
  useEffect(() => {
    void goOn().catch(() => undefined);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: who is signed in already need not log in
  }, []);
  return (
    <Card title="Log in">
      {sent && (
        <Suspense fallback={null}>
          <SentHere why={sent} />
        </Suspense>
      )}
      {twoStep ? <TwoStepForm signedIn={goOn} /> : <LogInForm signedIn={goOn} needsCode={() => setTwoStep(true)} />}
      {social && !twoStep && (
        <Suspense fallback={null}>
          <SocialSignIn name={social.name} signedIn={() => void goOn()} />
        </Suspense>
      )}
      <Below>
        <Link to="/register">Sign Up</Link>
        <Link to="/forgot-password">Forgot Password</Link>
        <Link to="/code">I have a joining code</Link>
      </Below>
    </Card>
  );
};

type LogInFormProps = {
  readonly signedIn: () => Promise<void>;
  /** The password was right, and the account also needs a code. */
  readonly needsCode: () => void;
};

const LogInForm = ({ signedIn, needsCode }: LogInFormProps) => {
  const { send, pending, answer, error, forget } = useSending({
    act: async (form: FormData) => {
      const step = await signIn(fieldText(form, 'email').trim(), fieldText(form, 'password'));
      if (step.needsCode) needsCode();
      else await signedIn();
      return step;
    },
  });
  // Until the next page is there.
  const busy = pending || answer !== undefined;
  const advice = adviceIn(error);
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const found = { email: emailError(fieldText(data, 'email')), password: requiredError(fieldText(data, 'password')) };
    setErrors(found);
    if (!found.email && !found.password) return void send(data);
    const wrong = form.elements.namedItem(found.email ? 'email' : 'password');
    if (wrong instanceof HTMLElement) wrong.focus();
  };
  return (
    <form
      className={formClass}
      noValidate
      onInput={() => error !== undefined && forget()}
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      {error !== undefined && (
        <Notice tone="bad" title={sentence(error)}>
          {advice && <p>{advice}</p>}
        </Notice>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form and little else */}
      <Field label="E-mail" name="email" type="email" autoComplete="username" error={errors['email']} required autoFocus />
      <Field label="Password" name="password" type="password" autoComplete="current-password" error={errors['password']} required />
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Logging in…' : 'Login'}
      </Button>
    </form>
  );
};

/** What to do, if the server or we know it. */
const adviceIn = (error: unknown): string | undefined => {
  if (isRefused(error, 'login-failed')) return 'Check your e-mail address and password and try again.';
  return isRefused(error) ? error.problem.detail : undefined;
};
