import type { Profile } from '#contract/door';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isRefused } from '../../ui/api/failure.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { askDoor } from '../form/ask.ts';
import { Below, Sheet } from '../sheet/Sheet.tsx';
import { ChangeForm } from './ChangeForm.tsx';
import { Everywhere } from './Everywhere.tsx';
import { TwoStep } from './TwoStep.tsx';
import { UnlockForm } from './UnlockForm.tsx';

/** One's own account: to be seen at once, to be changed after the current password. */
export const ProfilePage = () => {
  const { profile, error, reload } = useProfile();
  if (error)
    return (
      <main>
        <Failure error={error} retry={reload} />
      </main>
    );
  if (!profile) return <Skeleton label="Loading your profile" />;
  const unlocked = profile.unlockedUntil !== null;
  return (
    <Sheet title="Profile" lead={`${profile.role[0]?.toUpperCase()}${profile.role.slice(1)} at ${profile.school}`} wide>
      {unlocked ? <ChangeForm profile={profile} changed={reload} /> : <UnlockForm profile={profile} unlocked={reload} />}
      {profile.mayUseTwoStep && <TwoStep profile={profile} changed={reload} />}
      <Everywhere />
      <Below>
        <Link to="/">Back to Marktrail</Link>
      </Below>
    </Sheet>
  );
};

const useProfile = () => {
  const [profile, setProfile] = useState<Profile>();
  const [error, setError] = useState<unknown>();
  const reload = useCallback(() => {
    const show = (known: Profile) => {
      setError(undefined);
      setProfile(known);
    };
    askDoor<Profile>('/profile').then(show, (failure: unknown) => {
      if (isRefused(failure, 'not-authenticated')) location.replace('/login?next=/profile');
      else setError(failure);
    });
  }, []);
  useEffect(reload, [reload]);
  return { profile, error, reload };
};
