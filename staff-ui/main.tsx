import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadAfterUpgrade } from '../ui/lazily.ts';
import { App, opened } from './App.tsx';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './app.css';

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
