import { Suspense } from 'react';
import { lazily } from '../lazily.ts';
import type { LegalText } from './Legal.tsx';

/** Loads the texts when they are opened. */
export const LegalDialog = ({ open, onClose }: { readonly open: LegalText | undefined; readonly onClose: () => void }) =>
  open && (
    <Suspense fallback={null}>
      <Legal open={open} onClose={onClose} />
    </Suspense>
  );

const Legal = lazily(() => import('./Legal.tsx'), 'Legal');
