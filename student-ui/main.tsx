import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './App.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';

const root = document.getElementById('root');
if (root) {
  // The page of somebody without a session comes with its content, see prerender.tsx.
  const welcome = root.hasChildNodes();
  const app = (
    <StrictMode>
      <App welcome={welcome} />
    </StrictMode>
  );
  if (welcome) hydrateRoot(root, app);
  else createRoot(root).render(app);
}
