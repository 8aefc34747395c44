import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page's own path is /, /login, /code, ...; only its assets live under the base, so that one origin can serve several apps. */
export default defineConfig({
  root: at('.'),
  base: '/student-ui/',
  cacheDir: at('../node_modules/.vite/student-ui'),
  plugins: [react()],
  /** React has had it for years: no stand-in for older ones. */
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: at('../dist/student-ui'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    /** The content security policy allows no data: fonts or scripts. */
    assetsInlineLimit: 0,
    /** How long each plugin took says nothing to who starts the product. */
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es', rolldownOptions: { checks: { bundlerTimings: false } } },
});
