import { Navigate, Outlet, useLocation } from 'react-router';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { SessionProvider, useSession } from './Session.tsx';

/** Lets through who is signed in; everybody else goes to the log-in page and comes back here afterwards. */
export const SignedIn = () => {
  const { pathname, search } = useLocation();
  const me = useQuestion('me', {}, ['staff']);
  if (me.data)
    return (
      <SessionProvider key={me.data.accountId} me={me.data}>
        <Outlet />
      </SessionProvider>
    );
  if (isRefused(me.error, 'not-authenticated')) {
    return <Navigate to={pathname === '/' ? '/login' : `/login?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (me.error)
    return (
      <main>
        <Failure error={me.error} retry={() => void me.refetch()} />
      </main>
    );
  return <Skeleton label="Loading Marktrail" />;
};

const homes = { admin: '/leader', leader: '/leader', auditor: '/leader', teacher: '/teacher' } as const;

/** `/` for somebody signed in: the area of his role. */
export const ToMyArea = () => {
  const { me } = useSession();
  return me.role === 'student' ? <StaffOnly /> : <Navigate to={homes[me.role]} replace />;
};

/** Teachers are bounced home from the leaders' pages. */
export const LeadersOnly = () => (useSession().me.role === 'teacher' ? <Navigate to="/teacher" replace /> : <Outlet />);

export const StaffOnly = () => {
  const { me, logOut } = useSession();
  return (
    <main>
      <EmptyState
        title={`Hello ${me.name}`}
        action={
          <Button look="primary" onClick={logOut}>
            Log out
          </Button>
        }
      >
        This app is for staff of {me.school.name}, and your log-in is a student’s.
      </EmptyState>
    </main>
  );
};
