import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { OopsProvider } from '../ui/feedback/Oops.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { LogInPage } from './pages/LogInPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { StartPage } from './pages/StartPage.tsx';

/** The front door. Each page comes when it is wanted, but for the two that nearly everybody wants first. */
export const App = () => (
  <OopsProvider>
    <Suspense fallback={<Skeleton label="Loading" />}>
      <Routes>
        <Route index element={<StartPage />} />
        <Route path="/login" element={<LogInPage />} />
        <Route path="/secure" element={<SecurePage />} />
        <Route path="/register" element={<RegisterPage />} />
        <Route path="/verify" element={<VerifyPage />} />
        <Route path="/finalise" element={<FinalisePage />} />
        <Route path="/forgot-password" element={<ForgottenPasswordPage />} />
        <Route path="/email/change-password" element={<NewPasswordPage />} />
        <Route path="/code" element={<JoinPage />} />
        <Route path="/auth/callback" element={<AuthCallbackPage />} />
        <Route path="/profile" element={<ProfilePage />} />
        <Route path="/student/*" element={<StudentPage />} />
        <Route path="/testing" element={<TestingPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
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
const ProfilePage = lazy(() => import('./profile/ProfilePage.tsx').then(({ ProfilePage: page }) => ({ default: page })));
const TestingPage = lazy(() => import('./pages/TestingPage.tsx').then(({ TestingPage: page }) => ({ default: page })));
const StudentPage = lazy(() => import('./pages/StudentPage.tsx').then(({ StudentPage: page }) => ({ default: page })));
const AuthCallbackPage = lazy(() => import('./pages/AuthCallbackPage.tsx').then(({ AuthCallbackPage: page }) => ({ default: page })));
