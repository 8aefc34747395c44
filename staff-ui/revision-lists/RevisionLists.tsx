import type { ReactNode } from 'react';
import { Suspense, useCallback, useState } from 'react';
import { lazily } from '../../ui/lazily.ts';
import { useSession } from '../../ui/session/Session.tsx';
import type { RevisionListsRequest } from '../shell/revision-lists.ts';
import { RevisionListsContext } from '../shell/revision-lists.ts';

const RevisionListsDialog = lazily(() => import('./RevisionListsDialog.tsx'), 'RevisionListsDialog');

/** Holds the Revision Lists dialog, so that every page can open it. Each opening starts afresh. */
export const RevisionLists = ({ children }: { readonly children: ReactNode }) => {
  const { subject } = useSession();
  const [last, setLast] = useState<{ readonly request: RevisionListsRequest; readonly opening: number }>();
  const [shown, setShown] = useState(false);
  const open = useCallback((request: RevisionListsRequest) => {
    setLast((before) => ({ request, opening: (before?.opening ?? 0) + 1 }));
    setShown(true);
  }, []);
  return (
    <RevisionListsContext value={open}>
      {children}
      {subject && last && (
        <Suspense fallback={null}>
          <RevisionListsDialog
            key={`${last.opening} ${subject.subjectId}`}
            subjectId={subject.subjectId}
            request={last.request}
            open={shown}
            onClose={() => setShown(false)}
          />
        </Suspense>
      )}
    </RevisionListsContext>
  );
};
