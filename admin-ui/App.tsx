import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AppRoot } from '../ui/frame/AppRoot.tsx';
import { pageAt } from '../ui/pages.ts';
import { SignedIn } from '../ui/session/SignedIn.tsx';
import { AdminApp } from './AdminApp.tsx';

/** The router's paths start below /admin, the frame's at the site's root. */
const HOME = '/admin';

export const App = () => {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const navigation = useMemo(
    () => ({
      path: `${HOME}${pathname === '/' ? '' : pathname}`,
      isHere: (path: string) => pageAt(path).app === 'admin-ui',
      go: (to: string) => void navigate(to.slice(HOME.length) || '/'),
    }),
    [pathname, navigate],
  );
  return (
    <AppRoot navigation={navigation}>
      <SignedIn path={navigation.path}>
        <AdminApp />
      </SignedIn>
    </AppRoot>
  );
};
