import type { ReactNode } from 'react';
import { Suspense, useEffect, useRef } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { WaitingElsewhere } from '../ui/marks/WaitingElsewhere.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { SubjectPicker } from '../ui/frame/header/SubjectPicker.tsx';
import { useSession } from '../ui/session/Session.tsx';
import { NextStep } from './home/NextStep.tsx';
import { isStructure, menuAt } from './frame/nav.ts';
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
  const { pathname } = useLocation();
  return (
    <Frame menu={menuAt(me, pathname)} middle={<SubjectPicker />} notices={notices}>
      {isStructure(pathname) && <StructureTabs />}
      <Suspense fallback={<Skeleton rows={8} />}>{children}</Suspense>
    </Frame>
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
