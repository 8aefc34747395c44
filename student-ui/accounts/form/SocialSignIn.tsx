import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { onOutcome, socialSentence } from './social.ts';

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
