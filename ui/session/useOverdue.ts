import { useEffect, useState } from 'react';
import { PATIENCE } from '../drafts/patience.ts';

/** Whether something has been waited for without a word for longer than a page should that can open with what it keeps. */
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
