import { useEffect, useRef, useState } from 'react';
import type { ChipsProps } from '../controls/Chips.tsx';
import { Chips, scrollIntoBar } from '../controls/Chips.tsx';
import styles from './ScrollBar.module.css';

/**
 * The scroll bar of the header: chooses one of several tests, year groups or classes. The arrows are for the mouse; with the keyboard,
 * arrow keys move between the items.
 */
export const ScrollBar = (props: ChipsProps) => <Bar key={props.items.length} {...props} />;

const Bar = (props: ChipsProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState({ before: false, after: false });
  useEffect(() => {
    const bar = place.current?.querySelector('fieldset');
    if (!bar) return;
    const look = () => setMore({ before: bar.scrollLeft > 4, after: bar.scrollLeft + bar.clientWidth < bar.scrollWidth - 4 });
    look();
    const resized = new ResizeObserver(look);
    resized.observe(bar);
    bar.addEventListener('scroll', look, { passive: true });
    // Only with the window: the arrows that appear as somebody scrolls make the bar narrower too.
    const show = () => scrollIntoBar(bar.querySelector<HTMLElement>('label:has(:checked)'));
    window.addEventListener('resize', show);
    return () => {
      resized.disconnect();
      bar.removeEventListener('scroll', look);
      window.removeEventListener('resize', show);
    };
  }, []);
  const scroll = (by: number) => {
    const bar = place.current?.querySelector('fieldset');
    bar?.scrollBy({ left: by * bar.clientWidth * 0.8, behavior: 'smooth' });
  };
  return (
    <div ref={place} className={styles.bar} data-before={more.before || undefined} data-after={more.after || undefined}>
      <button type="button" className={styles.arrow} hidden={!more.before} tabIndex={-1} aria-hidden="true" onClick={() => scroll(-1)}>
        ‹
      </button>
      <Chips {...props} oneLine />
      <button type="button" className={styles.arrow} hidden={!more.after} tabIndex={-1} aria-hidden="true" onClick={() => scroll(1)}>
        ›
      </button>
    </div>
  );
};
