import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { OopsProvider } from '../ui/feedback/Oops.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { lazily, loadNow } from '../ui/lazily.ts';
import type { PathOf } from '../ui/pages.ts';
import { LogInPage } from './accounts/log-in/LogInPage.tsx';
import { StartPage } from './pages/StartPage.tsx';

const SecurePage = lazily(() => import('./pages/SecurePage.tsx'), 'SecurePage');
const RegisterPage = lazily(() => import('./accounts/register/RegisterPage.tsx'), 'RegisterPage');
const VerifyPage = lazily(() => import('./accounts/log-in/VerifyPage.tsx'), 'VerifyPage');
const FinalisePage = lazily(() => import('./accounts/log-in/VerifyPage.tsx'), 'FinalisePage');
const ForgottenPasswordPage = lazily(() => import('./accounts/log-in/NewPasswordPage.tsx'), 'ForgottenPasswordPage');
const NewPasswordPage = lazily(() => import('./accounts/log-in/NewPasswordPage.tsx'), 'NewPasswordPage');
const JoinPage = lazily(() => import('./accounts/join/JoinPage.tsx'), 'JoinPage');
const NotFoundPage = lazily(() => import('./pages/NotFoundPage.tsx'), 'NotFoundPage');
const TestingPage = lazily(() => import('./pages/TestingPage.tsx'), 'TestingPage');
const area = () => import('./shell/SignedInArea.tsx');
const SignedInArea = lazily(area, 'SignedInArea');
const AuthCallbackPage = lazily(() => import('./accounts/log-in/AuthCallbackPage.tsx'), 'AuthCallbackPage');

/** The student's pages are in SignedInArea. Of the list of pages only the type comes along: visitors do not load it. */
const pages: Readonly<Record<Exclude<PathOf<'student-ui', 'everybody' | 'account'>, '/'>, ReactNode>> = {
  '/login': <LogInPage />,
  '/secure': <SecurePage />,
  '/register': <RegisterPage />,
  '/verify': <VerifyPage />,
  '/finalise': <FinalisePage />,
  '/forgot-password': <ForgottenPasswordPage />,
  '/email/change-password': <NewPasswordPage />,
  '/code': <JoinPage />,
  '/auth/callback': <AuthCallbackPage />,
  '/profile': <SignedInArea />,
  '/testing': <TestingPage />,
};

/** Resolves when the code of the page at this address is there, or has failed to come: then the page says so. */
export const opened = async (path: string): Promise<void> => {
  if (/^\/(?:student|profile)(?:\/|$)/u.test(path)) await loadNow(area).catch(() => undefined);
};

/**
 * The start page and all others before the log-in, loaded on demand except for the two that most visitors need first. `welcome`: the server
 * saw no session when it answered.
 */
export const App = ({ welcome }: { readonly welcome: boolean }) => (
  <OopsProvider>
    <Suspense fallback={<Skeleton label="Loading" />}>
      <Switch>
        <Route path="/">
          <StartPage welcome={welcome} />
        </Route>
        {Object.entries(pages).map(([path, page]) => (
          <Route key="page" path={path}>
            {page}
          </Route>
        ))}
        <Route path="/student/*?">
          <SignedInArea />
        </Route>
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  </OopsProvider>
);
