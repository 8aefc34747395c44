import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { ApiProvider } from '../ui/api/ApiProvider.tsx';
import { OopsProvider } from '../ui/feedback/Oops.tsx';
import { ToastProvider } from '../ui/feedback/Toasts.tsx';
import { WorkProvider } from '../ui/feedback/Work.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { LeadersOnly, SignedIn } from './session/guards.tsx';
import { useSignedOut } from '../ui/session/signed-out.ts';
import { StaffShell } from './shell/StaffShell.tsx';

const HomePage = lazy(() => loadHome().then(({ HomePage: page }) => ({ default: page })));
const MarkbookPage = lazy(() => loadMarkbook().then(({ MarkbookPage: page }) => ({ default: page })));
const loadHome = () => import('./home/HomePage.tsx');
const loadMarkbook = () => import('./markbook/MarkbookPage.tsx');

export const App = () => {
  useSignedOut();
  return (
    <ApiProvider>
      <OopsProvider>
        <ToastProvider>
          <WorkProvider>
            <Routes>
              <Route element={<SignedIn />}>
                <Route element={<StaffShell />}>
                  <Route path="/teacher">{rooms}</Route>
                  <Route path="/leader" element={<LeadersOnly />}>
                    {rooms}
                  </Route>
                </Route>
              </Route>
              <Route path="*" element={<NotFoundPage />} />
            </Routes>
          </WorkProvider>
        </ToastProvider>
      </OopsProvider>
    </ApiProvider>
  );
};

const rooms = (
  <>
    <Route index element={<HomePage />} />
    <Route path="markbook" element={<MarkbookPage />} />
  </>
);
