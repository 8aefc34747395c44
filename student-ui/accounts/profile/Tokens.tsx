import type { Profile } from '#api/contract/auth';
import { Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../../ui/lazily.ts';
import styles from './Profile.module.css';

/** Few make one, and students none: the page comes without it. */
const NewToken = lazily(() => import('./NewToken.tsx'), 'NewToken');

/** Bearer tokens for programs. Each stands among the sessions, and is ended there. */
export const Tokens = ({ profile, unlocked }: { readonly profile: Profile; readonly unlocked: () => void }) => {
  const [isMaking, setMaking] = useState(false);
  return (
    <section className={`stack gap-3 ${styles.part}`} aria-labelledby="tokens">
      <h2 id="tokens">Tokens for programs</h2>
      {isMaking ? (
        <Suspense fallback={<Skeleton rows={2} />}>
          <NewToken profile={profile} unlocked={unlocked} onClose={() => setMaking(false)} />
        </Suspense>
      ) : (
        <>
          <p>
            With a token, a program of yours does what you may, without your password{profile.twoStep && ' and your second step'}. It
            changes neither your password nor your address, and you end it above at any time.
          </p>
          <div className="row gap-3">
            <Button onClick={() => setMaking(true)}>Make a token</Button>
          </div>
        </>
      )}
    </section>
  );
};
