import { useEffect, useState } from 'react';
import { PATIENCE } from '../drafts/patience.ts';

/** Whether a page that can open with what the device keeps has waited too long for the server. */
export const useOverdue = (isWaiting: boolean): boolean => {
  const [isOverdue, setIsOverdue] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsOverdue(true), PATIENCE);
    return () => {
      clearTimeout(timer);
      setIsOverdue(false);
    };
  }, [isWaiting]);
  return isWaiting && isOverdue;
};
