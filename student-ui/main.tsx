// First: the rules of a room come after those that all have, and win.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App, opened } from './App.tsx';

const root = document.getElementById('root');
if (root) {
  // Pages for visitors without a session are pre-rendered, see prerender.tsx.
  const welcome = root.hasChildNodes();
  const app = (
    <StrictMode>
      <App welcome={welcome} />
    </StrictMode>
  );
  if (welcome) hydrateRoot(root, app);
  // Drawn once. Not awaited: a chunk with what this one imports would wait for itself.
  else void opened(location.pathname).then(() => createRoot(root).render(app));
}
