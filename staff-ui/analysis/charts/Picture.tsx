import type { KeyboardEvent, ReactNode } from 'react';
import { createContext, use, useMemo, useState } from 'react';
import styles from './Picture.module.css';

/** Which mark of a picture the keyboard is at, and what is read out of it. */
type Reading = { readonly at: string | undefined; readonly read: (id: string, label: string) => void };
const ReadingContext = createContext<Reading>({ at: undefined, read: () => undefined });

type PictureProps = {
  readonly label: string;
  /** The mark that Tab comes to first. */
  readonly first: string | undefined;
  readonly children: ReactNode;
};

/** A picture is one tab stop: arrow keys move from mark to mark. What the mark under the pointer or the focus says stands below. */
export const Picture = ({ label, first, children }: PictureProps) => {
  const [at, setAt] = useState<{ readonly id: string; readonly label: string }>();
  const reading = useMemo(
    (): Reading => ({
      at: at?.id ?? first,
      read: (id, text) => setAt((now) => (now?.id === id && now.label === text ? now : { id, label: text })),
    }),
    [at, first],
  );
  return (
    <ReadingContext value={reading}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the marks within */}
      <div role="group" aria-label={label} className={styles.picture} onKeyDown={onArrow}>
        {children}
        <p className={styles.reading} aria-hidden="true">
          {at?.label}
        </p>
      </div>
    </ReadingContext>
  );
};

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => Math.min(count - 1, at + 1),
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, count) => count - 1,
};

const onArrow = (event: KeyboardEvent<HTMLElement>): void => {
  const step = STEPS[event.key];
  const marks = [...event.currentTarget.querySelectorAll<SVGElement>('[data-mark]')];
  const at = marks.findIndex((mark) => mark === event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  marks[step(at, marks.length)]?.focus();
};

type MarkProps = {
  readonly id: string;
  /** What it says: '11X1: 65.0 %, 29 students'. */
  readonly label: string;
  readonly onChoose?: ((id: string) => void) | undefined;
  readonly children: ReactNode;
};

/** A bar, dot or segment that can be pointed at, and opened where there is something behind it. */
export const Mark = ({ id, label, onChoose, children }: MarkProps) => {
  const { at, read } = use(ReadingContext);
  const isHere = at === id;
  return (
    <g
      data-mark
      className={styles.mark}
      role={onChoose ? 'button' : 'img'}
      aria-label={label}
      tabIndex={isHere ? 0 : -1}
      data-opens={onChoose ? true : undefined}
      onFocus={() => read(id, label)}
      onPointerEnter={() => read(id, label)}
      onClick={onChoose && (() => onChoose(id))}
      onKeyDown={
        onChoose &&
        ((event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          onChoose(id);
        })
      }
    >
      {children}
    </g>
  );
};
