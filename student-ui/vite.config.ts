import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Pages are at /, /login, /code, ...; only assets are under the base, so that one origin can serve several apps. */
export default defineConfig({
  root: at('.'),
  base: '/student-ui/',
  cacheDir: at('../node_modules/.vite/student-ui'),
  plugins: [react()],
  /** React itself has had this hook since version 18, so the shim is not bundled. */
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: at('../dist/student-ui'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    /** The content security policy forbids data: URLs for fonts and scripts. */
    assetsInlineLimit: 0,
    /** Plugin timings mean nothing to someone who starts the product. */
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es', rolldownOptions: { checks: { bundlerTimings: false } } },
});
