// First: the rules of a room come after those that all have, and win.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadAfterUpgrade } from '../ui/lazily.ts';
import { App, opened } from './App.tsx';

reloadAfterUpgrade();

const root = document.getElementById('root');
if (root)
  // Drawn once. Not awaited: a chunk with what this one imports would wait for itself.
  void opened.then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
