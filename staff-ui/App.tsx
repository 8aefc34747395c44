import { useMemo } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { AppRoot } from '../ui/frame/AppRoot.tsx';
import { lazily } from '../ui/frame/lazily.ts';
import { sectionOf } from '../ui/session/roles.ts';
import { SignedIn } from '../ui/session/SignedIn.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { StaffShell } from './shell/StaffShell.tsx';
import { stillTyped } from './typing/typed.ts';

const HomePage = lazily(() => import('./home/HomePage.tsx'), 'HomePage');
const MarkbookPage = lazily(() => import('./markbook/MarkbookPage.tsx'), 'MarkbookPage');

export const App = () => {
  const [path, go] = useLocation();
  const places = useMemo(() => ({ path, go, isHere }), [path, go]);
  return (
    <AppRoot places={places}>
      <SignedIn section={sectionOf(path)} unsaved={stillTyped}>
        <StaffShell>
          <Switch>
            <Route path="/teacher" component={HomePage} />
            <Route path="/teacher/markbook" component={MarkbookPage} />
            <Route path="/leader" component={HomePage} />
            <Route path="/leader/markbook" component={MarkbookPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </StaffShell>
      </SignedIn>
    </AppRoot>
  );
};

const isHere = (path: string): boolean => ['leader', 'teacher'].includes(sectionOf(path) ?? '');
