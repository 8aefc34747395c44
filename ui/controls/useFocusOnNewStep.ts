import { useEffect, useRef } from 'react';

/** For a list of steps, of which the current one has `aria-current`: a new one takes the focus, because the button that led to it is gone. */
export const useFocusOnNewStep = (current: string | number) => {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(current);
  useEffect(() => {
    if (before.current !== current) list.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    before.current = current;
  }, [current]);
  return list;
};
