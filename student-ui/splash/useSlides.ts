import { useEffect, useState } from 'react';
import { useReducedMotion } from './motion.ts';

const EACH_MS = 15_000;

/** Which of `count` slides is shown. Advances every 15 s, unless paused, held, or the reader prefers reduced motion. */
export const useSlides = (count: number, held: boolean) => {
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
