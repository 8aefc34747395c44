import { Suspense } from 'react';
import { lazily } from '../frame/lazily.ts';
import type { LegalText } from './legal-text.ts';

/** The texts come when somebody wants to read them. */
export const LegalDialog = ({ open, onClose }: { readonly open: LegalText | undefined; readonly onClose: () => void }) =>
  open && (
    <Suspense fallback={null}>
      <Legal open={open} onClose={onClose} />
    </Suspense>
  );

const Legal = lazily(() => import('./Legal.tsx'), 'Legal');
