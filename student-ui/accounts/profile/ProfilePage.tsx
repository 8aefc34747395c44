import type { Profile } from '#api/contract/auth';
import { useCallback, useEffect, useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { useSend } from '../../../ui/sending/useSend.ts';
import { askAuth } from '../form/ask.ts';
import { ChangeForm } from './ChangeForm.tsx';
import { SessionList } from '../../../ui/session/SessionList.tsx';
import styles from './Profile.module.css';
import { Tokens } from './Tokens.tsx';
import { TwoStep } from './TwoStep.tsx';
import { UnlockForm } from './UnlockForm.tsx';

/** The user's own account. Changes need the current password. */
export const ProfilePage = () => {
  const { profile, error, reload } = useProfile();
  if (error)
    return (
      <Page title="Profile">
        <Failure error={error} retry={reload} />
      </Page>
    );
  if (!profile) return <Skeleton label="Loading your profile" />;
  const unlocked = profile.unlockedUntil !== null;
  return (
    <Page title="Profile" sub={`${profile.role[0]?.toUpperCase()}${profile.role.slice(1)} at ${profile.school}`}>
      <div className={styles.forms}>
        {!unlocked && <Notice title="Your profile is locked. Your current password opens it." />}
        {unlocked ? <ChangeForm profile={profile} changed={reload} /> : <UnlockForm profile={profile} unlocked={reload} />}
        {profile.mayUseTwoStep && <TwoStep profile={profile} changed={reload} />}
        <section className={`stack gap-3 ${styles.part}`} aria-labelledby="sessions">
          <h2 id="sessions">Where you are logged in</h2>
          <SessionList />
        </section>
        {profile.role !== 'student' && <Tokens profile={profile} unlocked={reload} />}
        <Everywhere />
      </div>
    </Page>
  );
};

const useProfile = () => {
  const [profile, setProfile] = useState<Profile>();
  const [error, setError] = useState<unknown>();
  const reload = useCallback(() => {
    const show = (loaded: Profile) => {
      setError(undefined);
      setProfile(loaded);
    };
    askAuth<Profile>('/profile').then(show, setError);
  }, []);
  useEffect(reload, [reload]);
  return { profile, error, reload };
};

/** Actions on the whole account. */
const Everywhere = () => {
  const { send, pending, error } = useSend({
    act: (_: void) => askAuth('/profile/sign-out-everywhere', {}),
    onDone: () => location.replace('/login'),
    showsError: true,
  });
  return (
    <section className={`row gap-3 ${styles.part}`} aria-label="Your account">
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
      <a className={buttonClass()} href="/api/door/profile/data" download="my-data.json">
        Download my data
      </a>
      <Button disabled={pending} onClick={() => void send()}>
        Log out everywhere
      </Button>
    </section>
  );
};
