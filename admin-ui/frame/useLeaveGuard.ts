import { useEffect } from 'react';
import type { BlockerFunction } from 'react-router';
import { useBlocker } from 'react-router';
import { mayLeave } from '../../ui/session/unsaved.ts';

/** Asks before another page is opened while the one that is open holds something that is not stored. */
export const useLeaveGuard = (): void => {
  const blocker = useBlocker(leaves);
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);
};

/** A page that only sorts, searches or turns its list stays the same page. */
const leaves: BlockerFunction = ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && !mayLeave();
