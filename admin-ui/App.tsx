import { useMemo } from 'react';
import { useHref, useLocation, useNavigate } from 'react-router';
import { AppRoot } from '../ui/frame/AppRoot.tsx';
import { isWithin } from '../ui/pages.ts';
import { SignedIn } from '../ui/session/SignedIn.tsx';
import { atSameMoment } from './moment.ts';
import { AdminApp } from './AdminApp.tsx';

export const App = () => {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  /** `/admin` or `/history`: the router's paths start below it, the frame's at the site's root. */
  const home = useHref('/').replace(/\/$/, '');
  const navigation = useMemo(
    () => ({
      path: `${home}${pathname === '/' ? '' : pathname}`,
      isHere: (path: string) => isWithin(path, home),
      go: (to: string) => void navigate(atSameMoment(to.slice(home.length) || '/')),
    }),
    [pathname, navigate, home],
  );
  return (
    <AppRoot navigation={navigation}>
      <SignedIn path={navigation.path}>
        <AdminApp />
      </SignedIn>
    </AppRoot>
  );
};
