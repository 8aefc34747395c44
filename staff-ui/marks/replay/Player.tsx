import type { ReactNode } from 'react';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import styles from './Replay.module.css';

type PlayerProps = {
  readonly at: number;
  readonly count: number;
  readonly isPlaying: boolean;
  readonly toggle: () => void;
  readonly goTo: (step: number) => void;
  /** What the slider stands on, as a sentence. */
  readonly text: string;
  /** Below the sentence. */
  readonly children: ReactNode;
};

/** The slider over the changes. The space bar plays and pauses, the arrow keys go step by step, wherever they mean nothing else. */
export const Player = ({ at, count, isPlaying, toggle, goTo, text, children }: PlayerProps) => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const isElsewhere = target instanceof HTMLElement && target.closest('input, textarea, select, dialog, button, a, table') !== null;
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === ' ') toggle();
    else if (key === 'ArrowLeft') goTo(at - 1);
    else if (key === 'ArrowRight') goTo(at + 1);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return (
    <section className={`stack ${styles.player}`} aria-label="Replay">
      <div className={`row ${styles.controls}`}>
        <Step label="Step back" sign="M10 3 5 8l5 5" disabled={at === 0} go={() => goTo(at - 1)} />
        <Button look="primary" className={styles.play} onClick={toggle} disabled={count === 0}>
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Step label="Step forward" sign="m6 3 5 5-5 5" disabled={at === count} go={() => goTo(at + 1)} />
        <input
          type="range"
          aria-label="Change"
          min={0}
          max={count}
          value={at}
          aria-valuetext={`${at} of ${count}: ${text}`}
          onChange={({ target }) => goTo(Number(target.value))}
          onKeyDown={(event) => {
            if (event.key !== ' ') return;
            event.preventDefault();
            toggle();
          }}
        />
        <span className={`small muted figure ${styles.count}`}>
          {at} of {count}
        </span>
      </div>
      <p className={styles.sentence} role="status" aria-live={isPlaying ? 'off' : 'polite'}>
        {text}
      </p>
      <div className={`row ${styles.below}`}>{children}</div>
    </section>
  );
};

type StepProps = { readonly label: string; readonly sign: string; readonly disabled: boolean; readonly go: () => void };

const Step = ({ label, sign, disabled, go }: StepProps) => (
  <Button aria-label={label} title={label} disabled={disabled} onClick={go}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={sign} fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  </Button>
);
