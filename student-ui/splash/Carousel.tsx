import type { KeyboardEvent, PointerEvent } from 'react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { pictureOf, sizes } from './pictures.ts';
import { slides } from './slides.ts';
import styles from './Splash.module.css';

const SWIPE_PX = 40;

/** Nine slides that advance by themselves; arrow keys, swipes and buttons move between them. */
export const Carousel = () => {
  const [held, setHeld] = useState(false);
  const [ready, setReady] = useState<string>();
  const from = useRef<number>(undefined);
  const turning = useSlides(slides.length, held);
  const { at, go, paused } = turning;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) go(step);
  };
  const onPointerUp = (event: PointerEvent) => {
    const moved = event.clientX - (from.current ?? event.clientX);
    if (Math.abs(moved) > SWIPE_PX) go(moved < 0 ? 1 : -1);
    from.current = undefined;
  };
  const slide = slides[at] ?? slides[0];
  const next = slides[(at + 1) % slides.length];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys and swipes beside the buttons that do the same
    <section
      className={styles.carousel}
      aria-roledescription="carousel"
      aria-label="What Marktrail does"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => (from.current = event.clientX)}
      onPointerUp={onPointerUp}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <div
        className={styles.slide}
        role="group"
        aria-roledescription="slide"
        aria-label={`${at + 1} of ${slides.length}`}
        aria-live={paused ? 'polite' : 'off'}
      >
        <p className={`muted ${styles.number}`} aria-hidden="true">
          {at + 1}
        </p>
        <div className={styles.words}>
          <h2>{slide?.title}</h2>
          <p>{slide?.text}</p>
        </div>
        {slide && <Picture key={slide.picture} name={slide.picture} shows={slide.shows} loaded={() => setReady(slide.picture)} />}
      </div>
      {/* Preloads the next picture once the current one is there. */}
      <div hidden>{next && ready === slide?.picture && <Picture key={next.picture} name={next.picture} shows="" />}</div>
      <Controls {...turning} />
    </section>
  );
};

const Controls = ({ at, show, go, paused, turn }: ReturnType<typeof useSlides>) => (
  <div className={`row ${styles.controls}`}>
    <Button onClick={() => go(-1)} aria-label="Previous slide">
      ‹
    </Button>
    <Button onClick={turn} aria-pressed={paused}>
      {paused ? 'Play' : 'Pause'}
    </Button>
    <Button onClick={() => go(1)} aria-label="Next slide">
      ›
    </Button>
    <ol className={`line ${styles.dots}`}>
      {slides.map(({ title }, place) => (
        <li key={title}>
          <button
            type="button"
            className="bare"
            aria-label={`Slide ${place + 1}: ${title}`}
            aria-current={place === at ? 'true' : undefined}
            onClick={() => show(place)}
          />
        </li>
      ))}
    </ol>
  </div>
);

const EACH_MS = 15_000;

/** Which of `count` slides is shown. Advances every 15 s, unless paused, held, or the reader prefers reduced motion. */
const useSlides = (count: number, held: boolean) => {
  const [at, setAt] = useState(0);
  const still = useReducedMotion();
  /** The reader's choice; undefined: none yet. */
  const [chosen, setChosen] = useState<'play' | 'pause'>();
  const paused = chosen === undefined ? still : chosen === 'pause';
  useEffect(() => {
    if (paused || held) return;
    const timer = setInterval(() => setAt((place) => (place + 1) % count), EACH_MS);
    return () => clearInterval(timer);
  }, [count, paused, held]);
  return {
    at,
    show: setAt,
    go: (step: number) => setAt((place) => (place + step + count) % count),
    paused,
    turn: () => setChosen(paused ? 'play' : 'pause'),
  };
};

/** Whether the reader prefers reduced motion. Pre-rendered pages say no: nothing moves before the script runs. */
const useReducedMotion = (): boolean => useSyncExternalStore(subscribe, isReduced, () => false);

const reduced = (): MediaQueryList => matchMedia('(prefers-reduced-motion: reduce)');
const isReduced = (): boolean => reduced().matches;
const subscribe = (changed: () => void): (() => void) => {
  const query = reduced();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

type PictureProps = { readonly name: string; readonly shows: string; readonly loaded?: () => void };

/** A screenshot that matches the reader's screen width and colour scheme. Its space is reserved, so that nothing jumps when it loads. */
const Picture = ({ name, shows, loaded }: PictureProps) => (
  <picture>
    <source media="(max-width: 599px) and (prefers-color-scheme: dark)" srcSet={pictureOf(name, 'narrow', 'dark')} {...sizes.narrow} />
    <source media="(max-width: 599px)" srcSet={pictureOf(name, 'narrow', 'light')} {...sizes.narrow} />
    <source media="(prefers-color-scheme: dark)" srcSet={pictureOf(name, 'wide', 'dark')} {...sizes.wide} />
    <img
      className={styles.picture}
      src={pictureOf(name, 'wide', 'light')}
      {...sizes.wide}
      alt={shows}
      decoding="async"
      draggable={false}
      onLoad={loaded}
    />
  </picture>
);
