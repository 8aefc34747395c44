import { useEffect, useState } from 'react';

/**
 * Whether this has changed a moment ago. The ring stands and goes: fading it would have the browser draw sixty times a second, which took ten
 * times as long as everything else about a colleague's save.
 */
export const useJustChanged = (shown: string): boolean => {
  const [settled, setSettled] = useState(shown);
  useEffect(() => {
    if (settled === shown) return;
    const settling = setTimeout(() => setSettled(shown), RING_MS);
    return () => clearTimeout(settling);
  }, [settled, shown]);
  return settled !== shown;
};

const RING_MS = 1_600;
