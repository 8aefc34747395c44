import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { App } from './App.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';

/** After an upgrade of the server, parts of the app that are not loaded yet no longer exist: reload, at most once a minute. */
window.addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('marktrail-restarted') ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem('marktrail-restarted', String(Date.now()));
  location.reload();
});

/** A data router, which can block navigation while there is unsaved input. */
const router = createBrowserRouter([{ path: '*', element: <App /> }], { basename: '/admin' });

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} useTransitions={false} />
    </StrictMode>,
  );
}
