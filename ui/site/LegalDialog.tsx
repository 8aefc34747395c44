import { lazy, Suspense } from 'react';
import type { LegalText } from './legal-text.ts';

/** The texts come when somebody wants to read them. */
export const LegalDialog = ({ open, onClose }: { readonly open: LegalText | undefined; readonly onClose: () => void }) =>
  open && (
    <Suspense fallback={null}>
      <Legal open={open} onClose={onClose} />
    </Suspense>
  );

const Legal = lazy(() => import('./Legal.tsx').then(({ Legal: dialog }) => ({ default: dialog })));
