import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Pages are at /admin/...; only assets are under the base, so that one origin can serve several apps. */
export default defineConfig({
  root: at('.'),
  base: '/admin-ui/',
  cacheDir: at('../node_modules/.vite/admin-ui'),
  plugins: [react()],
  build: {
    outDir: at('../dist/admin-ui'),
    emptyOutDir: true,
    target: 'es2022',
    /** The content security policy forbids data: URLs for fonts and scripts. */
    assetsInlineLimit: 0,
    /** react-admin is one chunk; tests/browser/budgets.test.ts limits its size. */
    chunkSizeWarningLimit: 1_500,
    /** Plugin timings mean nothing to someone who starts the product. */
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es', rolldownOptions: { checks: { bundlerTimings: false } } },
});
