import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { App } from './App.tsx';

/** What stands in the start page of somebody without a session before any script has run: it can be read, and its links followed. */
export const welcomePage = (): string =>
  renderToString(
    <StrictMode>
      <Router ssrPath="/">
        <App welcome />
      </Router>
    </StrictMode>,
  );
