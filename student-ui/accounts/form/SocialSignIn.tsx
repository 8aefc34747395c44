import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';

type SocialSignInProps = { readonly name: string; readonly signedIn: () => void };

/** Log-in with an external account, in a popup. */
export const SocialSignIn = ({ name, signedIn }: SocialSignInProps) => {
  const [failure, setFailure] = useState<string>();
  const onEnd = useEffectEvent(({ error }: { readonly error: string | null }) => {
    if (error === null) signedIn();
    else setFailure(socialSentence(error));
  });
  useEffect(() => onOutcome(onEnd), []);
  return (
    <div style={{ marginTop: 16 }}>
      {failure && <Notice tone="bad" title={failure} />}
      <Button
        onClick={() => {
          setFailure(undefined);
          // Where popups are blocked, the page itself goes to the provider and returns by /auth/callback.
          if (!window.open('/api/door/social', 'marktrail-social', 'popup,width=520,height=680')) location.assign('/api/door/social');
        }}
      >
        Log in with {name}
      </Button>
    </div>
  );
};

/**
 * Lets the popup of a social sign-in report to the page that opened it: the provider's pages in between cut the link between the windows.
 */
const CHANNEL = 'marktrail-social';

/** The error that ended the sign-in; null: signed in. */
type SocialOutcome = { readonly error: string | null };

export const tellOutcome = (outcome: SocialOutcome): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(outcome);
  channel.close();
};

/** Returns a function that stops listening. */
const onOutcome = (listener: (outcome: SocialOutcome) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<SocialOutcome>) => listener(data);
  return () => channel.close();
};

const sentences: Readonly<Record<string, string>> = {
  signup_disabled: 'There is no Marktrail account with that e-mail address. Ask your school for one.',
  account_not_linked: 'The e-mail address of that account is not confirmed, so it cannot be used to log in here.',
  email_not_found: 'The provider names no e-mail address, or several, so it cannot be used to log in here. Log in with your password.',
  provider_away: 'The provider cannot be reached just now. Log in with your password, or try again later.',
};

export const socialSentence = (error: string): string =>
  sentences[error] ?? 'The other log-in did not succeed. Try again, or use your password.';
