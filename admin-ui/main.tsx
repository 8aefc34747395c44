// First: the rules of a room come after those that all have, and win.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { reloadAfterUpgrade } from '../ui/lazily.ts';
import { isWithin } from '../ui/pages.ts';
import { App } from './App.tsx';

reloadAfterUpgrade();

/** Admins' area, and that of History: from one to the other the page is loaded. */
const basename = isWithin(location.pathname, '/history') ? '/history' : '/admin';
/** A data router, which can block navigation while there is unsaved input. */
const router = createBrowserRouter([{ path: '*', element: <App /> }], { basename });

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} useTransitions={false} />
    </StrictMode>,
  );
}
