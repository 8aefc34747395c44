import type { ReactNode, RefObject } from 'react';
import { useLayoutEffect, useRef } from 'react';
import { placeBeneath } from '../../../ui/controls/place-beneath.ts';
import styles from './AtCell.module.css';

type AtCellProps = { readonly around: RefObject<HTMLElement | null>; readonly children: ReactNode };

/** What there is to decide about the active cell of a table, beneath it, and as long as it is the active one. */
export const AtCell = ({ around, children }: AtCellProps) => {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [floats, table] = [panel.current, around.current];
    if (!floats || !table) return;
    const place = () => {
      const cell = table.querySelector('[data-active]');
      if (cell) placeBeneath(floats, cell.getBoundingClientRect());
    };
    floats.showPopover();
    place();
    const resized = new ResizeObserver(place);
    resized.observe(floats);
    // Whatever scrolls, the table, the page or a dialog.
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      resized.disconnect();
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [around]);
  return (
    <div ref={panel} popover="manual" className={styles.floats}>
      {children}
    </div>
  );
};
