import type { Profile } from '#api/contract/auth';
import { Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../../ui/lazily.ts';
import styles from './Profile.module.css';

/** Wanted once in a long time: the page comes without it. */
const TwoStepChange = lazily(() => import('./TwoStepChange.tsx'), 'TwoStepChange');

/** Switches two-step sign-in on and off. */
export const TwoStep = ({ profile, changed }: { readonly profile: Profile; readonly changed: () => void }) => {
  const [change, setChange] = useState<'on' | 'off' | 'new codes'>();
  const [message, setMessage] = useState<string>();
  const rest = (said?: string) => {
    setChange(undefined);
    setMessage(said);
  };
  const done = (said: string) => {
    rest(said);
    changed();
  };
  return (
    <section className={`stack gap-3 ${styles.part}`} aria-labelledby="two-step">
      <h2 id="two-step">Two-step sign-in</h2>
      {change === undefined && (
        <>
          {message && <Notice tone="good" title={message} />}
          <p>
            {profile.twoStep
              ? 'On: after your password you are asked for a code of your authenticator.'
              : 'Off. With it, a stolen password alone opens nothing: you are asked for a code of an authenticator app as well. Switching it on logs you out everywhere else and ends your tokens.'}
          </p>
          <div className="row gap-3">
            {profile.twoStep ? (
              <>
                <Button onClick={() => setChange('new codes')}>New recovery codes</Button>
                <Button onClick={() => setChange('off')}>Switch off</Button>
              </>
            ) : (
              <Button onClick={() => setChange('on')}>Switch on</Button>
            )}
          </div>
        </>
      )}
      {change && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <TwoStepChange begins={change} done={done} changed={changed} cancel={() => rest()} />
        </Suspense>
      )}
    </section>
  );
};
