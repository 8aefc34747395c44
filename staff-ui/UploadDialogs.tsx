import { readsOnly } from '../ui/roles.ts';
import type { ReactNode } from 'react';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { CoveredContext } from '../ui/api/ApiProvider.tsx';
import { lazilyAhead } from '../ui/lazily.ts';
import { useSession } from '../ui/session/Session.tsx';
import { useMoment } from './moment.ts';
import { FirstKeys } from './marks/grid/FirstKeys.tsx';
import type { UploadRequest } from './marks/upload/request.ts';
import { isForTyping, UploadContext } from './marks/upload/request.ts';

const UploadDialog = lazilyAhead(() => import('./marks/upload/UploadDialog.tsx'), 'UploadDialog');

/**
 * Holds the upload dialog, so that every page can open it. Each opening starts afresh; a running upload continues after its dialog is
 * closed.
 */
export const UploadDialogs = ({ children }: { readonly children: ReactNode }) => {
  const { me, subject } = useSession();
  const [last, setLast] = useState<{ readonly request: UploadRequest; readonly opening: number }>();
  const [shown, setShown] = useState(false);
  const open = useCallback((request: UploadRequest) => {
    setLast((before) => ({ request, opening: (before?.opening ?? 0) + 1 }));
    setShown(true);
  }, []);
  const close = useCallback(() => setShown(false), []);
  const { asOf } = useMoment();
  const mayUpload = asOf === undefined && subject !== undefined && !readsOnly(me.role) && me.role !== 'student';
  const value = useMemo(() => ({ open, mayUpload }), [open, mayUpload]);
  return (
    <UploadContext value={value}>
      <CoveredContext value={shown}>{children}</CoveredContext>
      {subject && last && (
        <Suspense fallback={isForTyping(last.request) && <FirstKeys />}>
          <UploadDialog key={last.opening} request={last.request} open={shown} onClose={close} />
        </Suspense>
      )}
    </UploadContext>
  );
};
