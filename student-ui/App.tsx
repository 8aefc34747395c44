import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { OopsProvider } from '../ui/feedback/Oops.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { LogInPage } from './pages/LogInPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { StartPage } from './pages/StartPage.tsx';

/**
 * The front door. Each page comes when it is wanted, but for the two that nearly everybody wants first. `welcome`: nobody is signed in, as far
 * as the server saw when it answered.
 */
export const App = ({ welcome }: { readonly welcome: boolean }) => (
  <OopsProvider>
    <Suspense fallback={<Skeleton label="Loading" />}>
      <Switch>
        <Route path="/">
          <StartPage welcome={welcome} />
        </Route>
        <Route path="/login" component={LogInPage} />
        <Route path="/secure" component={SecurePage} />
        <Route path="/register" component={RegisterPage} />
        <Route path="/verify" component={VerifyPage} />
        <Route path="/finalise" component={FinalisePage} />
        <Route path="/forgot-password" component={ForgottenPasswordPage} />
        <Route path="/email/change-password" component={NewPasswordPage} />
        <Route path="/code" component={JoinPage} />
        <Route path="/auth/callback" component={AuthCallbackPage} />
        <Route path="/profile" component={SignedInArea} />
        <Route path="/student/*?" component={SignedInArea} />
        <Route path="/testing" component={TestingPage} />
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  </OopsProvider>
);

const SecurePage = lazy(() => import('./pages/SecurePage.tsx').then(({ SecurePage: page }) => ({ default: page })));
const RegisterPage = lazy(() => import('./register/RegisterPage.tsx').then(({ RegisterPage: page }) => ({ default: page })));
const VerifyPage = lazy(() => import('./pages/VerifyPage.tsx').then(({ VerifyPage: page }) => ({ default: page })));
const FinalisePage = lazy(() => import('./pages/FinalisePage.tsx').then(({ FinalisePage: page }) => ({ default: page })));
const ForgottenPasswordPage = lazy(() =>
  import('./pages/ForgottenPasswordPage.tsx').then(({ ForgottenPasswordPage: page }) => ({ default: page })),
);
const NewPasswordPage = lazy(() => import('./pages/NewPasswordPage.tsx').then(({ NewPasswordPage: page }) => ({ default: page })));
const JoinPage = lazy(() => import('./join/JoinPage.tsx').then(({ JoinPage: page }) => ({ default: page })));
const TestingPage = lazy(() => import('./pages/TestingPage.tsx').then(({ TestingPage: page }) => ({ default: page })));
const SignedInArea = lazy(() => import('./student/SignedInArea.tsx').then(({ SignedInArea: area }) => ({ default: area })));
const AuthCallbackPage = lazy(() => import('./pages/AuthCallbackPage.tsx').then(({ AuthCallbackPage: page }) => ({ default: page })));
