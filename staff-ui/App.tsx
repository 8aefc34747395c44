import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { AppRoot } from '../ui/frame/AppRoot.tsx';
import { lazily } from '../ui/lazily.ts';
import type { PathOf } from '../ui/pages.ts';
import { pageAt } from '../ui/pages.ts';
import { SignedIn } from '../ui/session/SignedIn.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { useGuardedLocation } from './shell/guarded-location.ts';
import { StaffShell } from './StaffShell.tsx';

const HomePage = lazily(() => import('./home/HomePage.tsx'), 'HomePage');
const MarkbookPage = lazily(() => import('./marks/markbook/MarkbookPage.tsx'), 'MarkbookPage');
const MarksPage = lazily(() => import('./marks/sheet/MarksPage.tsx'), 'MarksPage');
const PriorPage = lazily(() => import('./prior/PriorPage.tsx'), 'PriorPage');

const pages: Readonly<Record<PathOf<'staff-ui'>, ReactNode>> = {
  '/teacher': <HomePage />,
  '/teacher/markbook': <MarkbookPage />,
  '/teacher/marks': <MarksPage />,
  '/leader': <HomePage />,
  '/leader/markbook': <MarkbookPage />,
  '/leader/marks': <MarksPage />,
  '/leader/prior': <PriorPage />,
};

export const App = () => (
  // oxlint-disable-next-line react/hooks -- the router calls it, in each component that asks where it is
  <Router hook={useGuardedLocation}>
    <Pages />
  </Router>
);

const Pages = () => {
  const [path, go] = useLocation();
  const navigation = useMemo(() => ({ path, go, isHere }), [path, go]);
  return (
    <AppRoot navigation={navigation}>
      <SignedIn path={path}>
        <StaffShell>
          <Switch>
            {/* One key, because one shows at a time: the same page in another section keeps what it holds. */}
            {Object.entries(pages).map(([at, page]) => (
              <Route key="page" path={at}>
                {page}
              </Route>
            ))}
            <Route component={NotFoundPage} />
          </Switch>
        </StaffShell>
      </SignedIn>
    </AppRoot>
  );
};

const isHere = (path: string): boolean => pageAt(path).app === 'staff-ui';
