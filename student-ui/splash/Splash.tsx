import type { KeyboardEvent, PointerEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Logo } from '../../ui/frame/Logo.tsx';
import { CookieConsent } from '../../ui/site/CookieConsent.tsx';
import { Footer } from '../../ui/site/Footer.tsx';
import styles from './Splash.module.css';
import { slides } from './slides.ts';

/** What Marktrail is, for those who are not signed in. */
export const Splash = () => {
  useEffect(() => {
    document.title = 'Marktrail: assessment results by class and by question';
  }, []);
  return (
    <>
      <header className={styles.head}>
        <p className={styles.product}>
          <Logo size={36} /> Marktrail
        </p>
        <nav aria-label="Account">
          <Link className={buttonClass()} to="/code">
            Join with a code
          </Link>
          <Link className={buttonClass()} to="/register">
            Sign Up
          </Link>
          <Link className={buttonClass('primary')} to="/login">
            Log in
          </Link>
        </nav>
      </header>
      <main className={styles.page}>
        <h1>A school’s marks, and the trail of every one of them</h1>
        <Carousel />
      </main>
      <Footer />
      <CookieConsent />
    </>
  );
};

const EACH_MS = 15_000;
const SWIPE_PX = 40;

/** Goes on every 15 s, unless it is paused, looked into, or the reader wants no motion. */
const Carousel = () => {
  const [at, setAt] = useState(0);
  const [paused, setPaused] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [held, setHeld] = useState(false);
  const from = useRef<number>(undefined);
  const go = (step: number) => setAt((place) => (place + step + slides.length) % slides.length);
  useEffect(() => {
    if (paused || held) return;
    const timer = setInterval(() => setAt((place) => (place + 1) % slides.length), EACH_MS);
    return () => clearInterval(timer);
  }, [paused, held]);

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
        <p className={styles.number} aria-hidden="true">
          {at + 1}
        </p>
        <div>
          <h2>{slide?.title}</h2>
          <p>{slide?.text}</p>
        </div>
      </div>
      <div className={styles.controls}>
        <Button onClick={() => go(-1)} aria-label="Previous slide">
          ‹
        </Button>
        <Button onClick={() => setPaused(!paused)} aria-pressed={paused}>
          {paused ? 'Play' : 'Pause'}
        </Button>
        <Button onClick={() => go(1)} aria-label="Next slide">
          ›
        </Button>
        <ol className={styles.dots}>
          {slides.map(({ title }, place) => (
            <li key={title}>
              <button
                type="button"
                aria-label={`Slide ${place + 1}: ${title}`}
                aria-current={place === at ? 'true' : undefined}
                onClick={() => setAt(place)}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
};
