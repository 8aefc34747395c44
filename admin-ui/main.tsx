import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { App } from './App.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';

/** After an upgrade of the server the parts that an open page has not loaded yet are gone: the page starts again, at most once in a while. */
window.addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('marktrail-restarted') ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem('marktrail-restarted', String(Date.now()));
  location.reload();
});

/** A router that can be held: what is typed and not stored is asked about before another page opens. */
const router = createBrowserRouter([{ path: '*', element: <App /> }], { basename: '/admin' });

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} useTransitions={false} />
    </StrictMode>,
  );
}
