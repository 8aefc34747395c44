import type { ReactNode } from 'react';
import { createContext, lazy, Suspense, use, useCallback, useMemo, useState } from 'react';
import { useSession } from '../session/Session.tsx';

const TotalsDialog = lazy(() => import('../upload-totals/TotalsDialog.tsx').then(({ TotalsDialog: dialog }) => ({ default: dialog })));
const ResultsDialog = lazy(() => import('../upload-results/ResultsDialog.tsx').then(({ ResultsDialog: dialog }) => ({ default: dialog })));

/** `testId`, `setId`: what the dialog is opened for, chosen beforehand in it. */
export type UploadRequest = { readonly kind: 'totals' | 'results'; readonly testId?: string; readonly setId?: string };

const UploadContext = createContext<{ readonly open: (request: UploadRequest) => void; readonly mayUpload: boolean } | undefined>(
  undefined,
);

/** Holds the upload dialogs, so that every page can open them. Each opening begins anew; an upload goes on when its dialog is closed. */
export const UploadDialogs = ({ children }: { readonly children: ReactNode }) => {
  const { me, subject } = useSession();
  const [last, setLast] = useState<{ readonly request: UploadRequest; readonly opening: number }>();
  const [shown, setShown] = useState(false);
  const open = useCallback((request: UploadRequest) => {
    setLast((before) => ({ request, opening: (before?.opening ?? 0) + 1 }));
    setShown(true);
  }, []);
  const close = useCallback(() => setShown(false), []);
  const mayUpload = subject !== undefined && me.role !== 'auditor' && me.role !== 'student';
  const value = useMemo(() => ({ open, mayUpload }), [open, mayUpload]);
  return (
    <UploadContext value={value}>
      {children}
      {subject && last && (
        <Suspense fallback={null}>
          {last.request.kind === 'totals' ? (
            <TotalsDialog key={last.opening} request={last.request} open={shown} onClose={close} />
          ) : (
            <ResultsDialog key={last.opening} request={last.request} open={shown} onClose={close} />
          )}
        </Suspense>
      )}
    </UploadContext>
  );
};

export const useUploadDialogs = () => {
  const value = use(UploadContext);
  if (!value) throw new Error('There is no UploadDialogs above this component.');
  return value;
};
