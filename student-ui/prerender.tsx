import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { App } from './App.tsx';

/** The start page for visitors without a session, as HTML that can be read and followed before any script runs. */
export const welcomePage = (): string =>
  renderToString(
    <StrictMode>
      <Router ssrPath="/">
        <App welcome />
      </Router>
    </StrictMode>,
  );
