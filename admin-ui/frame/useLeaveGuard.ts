import { useEffect } from 'react';
import type { BlockerFunction } from 'react-router';
import { useBlocker } from 'react-router';
import { mayLeave } from '../../ui/session/unsaved.ts';

/** Asks before another page opens while the current one holds unsaved input. */
export const useLeaveGuard = (): void => {
  const blocker = useBlocker(leaves);
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);
};

/** A change of the query string (sort, search, page) stays on the same page. */
const leaves: BlockerFunction = ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && !mayLeave();
