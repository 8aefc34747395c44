import { useEffect, useRef } from 'react';

/** Brings what has changed into sight: a question beneath the fold is not seen. `of`: what is shown; undefined: nothing. */
export const useInSight = <Shown extends HTMLElement>(of: unknown) => {
  const ref = useRef<Shown>(null);
  useEffect(() => {
    if (of !== undefined) ref.current?.scrollIntoView?.({ block: 'nearest' });
  }, [of]);
  return ref;
};
