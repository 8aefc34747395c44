import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { OopsProvider } from '../ui/feedback/Oops.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { lazily } from '../ui/frame/lazily.ts';
import { LogInPage } from './pages/LogInPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { StartPage } from './pages/StartPage.tsx';

/**
 * The front door. Pages are loaded on demand, except the two that most visitors need first. `welcome`: the server saw no session when it
 * answered.
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

const SecurePage = lazily(() => import('./pages/SecurePage.tsx'), 'SecurePage');
const RegisterPage = lazily(() => import('./register/RegisterPage.tsx'), 'RegisterPage');
const VerifyPage = lazily(() => import('./pages/VerifyPage.tsx'), 'VerifyPage');
const FinalisePage = lazily(() => import('./pages/FinalisePage.tsx'), 'FinalisePage');
const ForgottenPasswordPage = lazily(() => import('./pages/ForgottenPasswordPage.tsx'), 'ForgottenPasswordPage');
const NewPasswordPage = lazily(() => import('./pages/NewPasswordPage.tsx'), 'NewPasswordPage');
const JoinPage = lazily(() => import('./join/JoinPage.tsx'), 'JoinPage');
const TestingPage = lazily(() => import('./pages/TestingPage.tsx'), 'TestingPage');
const SignedInArea = lazily(() => import('./student/SignedInArea.tsx'), 'SignedInArea');
const AuthCallbackPage = lazily(() => import('./pages/AuthCallbackPage.tsx'), 'AuthCallbackPage');
