import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page's own path is /admin/...; only its assets live under the base, so that one origin can serve several apps. */
export default defineConfig({
  root: at('.'),
  base: '/admin-ui/',
  cacheDir: at('../node_modules/.vite/admin-ui'),
  plugins: [react()],
  build: {
    outDir: at('../dist/admin-ui'),
    emptyOutDir: true,
    target: 'es2022',
    /** The content security policy allows no data: fonts or scripts. */
    assetsInlineLimit: 0,
    /** react-admin in one piece; tests/browser/budgets.test.ts says how large it may be. */
    chunkSizeWarningLimit: 1_500,
    /** How long each plugin took says nothing to who starts the product. */
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es', rolldownOptions: { checks: { bundlerTimings: false } } },
});
