import type { ReactNode } from 'react';
import { Suspense, useEffect, useRef } from 'react';
import { useBlocker, useHref, useLocation } from 'react-router';
import { MomentBanner } from '../ui/as-of/MomentBanner.tsx';
import { MomentControl } from '../ui/as-of/MomentControl.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { WaitingElsewhere } from '../ui/marks/WaitingElsewhere.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { InHeader } from '../ui/frame/header/InHeader.tsx';
import { ReadOnly } from '../ui/frame/ReadOnly.tsx';
import { pageAt } from '../ui/pages.ts';
import { readsOnly } from '../ui/roles.ts';
import { SubjectPicker } from '../ui/frame/header/SubjectPicker.tsx';
import { useSession } from '../ui/session/Session.tsx';
import { FindStudent } from '../ui/students/FindStudent.tsx';
import { NextStep } from './home/NextStep.tsx';
import { isStructure, menuAt } from './frame/nav.ts';
import { useMoment } from './moment.ts';
import { StructureTabs } from './frame/StructureTabs.tsx';
import type { BlockerFunction } from 'react-router';
import { leaving, wouldLose } from '../ui/session/unsaved.ts';

const notices = (
  <>
    <WaitingElsewhere />
    <NextStep />
  </>
);

/** The frame of every admin screen, in place of react-admin's layout. */
export const AdminFrame = ({ children }: { readonly children?: ReactNode }) => {
  useLeaveGuard();
  const { me } = useSession();
  const moment = useMoment();
  const { pathname } = useLocation();
  const { moments = false } = pageAt(useHref(pathname));
  const isRead = readsOnly(me.role) || moment.asOf !== undefined;
  return (
    <ReadOnly value={isRead}>
      <Frame
        menu={menuAt(me, pathname)}
        middle={<SubjectPicker />}
        find={!isRead && <FindStudent />}
        notices={readsOnly(me.role) ? null : notices}
      >
        <MomentBanner {...moment} />
        {isStructure(pathname) && <StructureTabs />}
        {moments && (
          <InHeader>
            <MomentControl {...moment} />
          </InHeader>
        )}
        <Suspense fallback={<Skeleton rows={8} />}>{children}</Suspense>
      </Frame>
    </ReadOnly>
  );
};

/** Asks before another page opens while the current one holds unsaved input. */
const useLeaveGuard = (): void => {
  const blocker = useBlocker(leaves);
  /** Another page may be requested while the question is open: the answer applies to the last one. */
  const last = useRef(blocker);
  useEffect(() => {
    last.current = blocker;
    if (blocker.state !== 'blocked') return;
    leaving(
      'app',
      () => last.current.proceed?.(),
      () => last.current.reset?.(),
    );
  }, [blocker]);
};

/** A change of the query string (sort, search, page) stays on the same page. */
const leaves: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && wouldLose('app');
