import { useEffect } from 'react';
import { Navigate, Outlet } from 'react-router';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { SessionProvider, useSession } from './Session.tsx';
import { leaveForLogin } from '../../ui/session/signed-out.ts';

/** Lets through who is signed in; everybody else goes to the log-in page and comes back here afterwards. */
export const SignedIn = () => {
  const me = useQuestion('me', {}, ['staff']);
  if (me.data)
    return (
      <SessionProvider key={me.data.accountId} me={me.data}>
        <Outlet />
      </SessionProvider>
    );
  if (isRefused(me.error, 'not-authenticated')) {
    return <Leave />;
  }
  if (me.error)
    return (
      <main>
        <Failure error={me.error} retry={() => void me.refetch()} />
      </main>
    );
  return <Skeleton label="Loading Marktrail" />;
};

/** To the log-in, which is the front door's: an app of its own. */
const Leave = () => {
  useEffect(leaveForLogin, []);
  return <Skeleton label="Loading the log-in" />;
};

/** Students are bounced home: a page of the front door. */
export const BouncedHome = () => {
  useEffect(() => location.replace('/'), []);
  return <Skeleton label="Loading Marktrail" />;
};

/** Teachers are bounced home from the leaders' pages. */
export const LeadersOnly = () => (useSession().me.role === 'teacher' ? <Navigate to="/teacher" replace /> : <Outlet />);
