import { CODE_LENGTH } from '#api/contract/auth-messages';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useRef } from 'react';
import styles from './Join.module.css';

type CodeBoxesProps = { readonly value: string; readonly onChange: (value: string) => void; readonly disabled: boolean };

const places = Array.from({ length: CODE_LENGTH }, (_, place) => place);

/** Seven boxes, one letter each: typing moves on, Backspace moves back, and a whole code can be pasted into any box. */
export const CodeBoxes = ({ value, onChange, disabled }: CodeBoxesProps) => {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (place: number) => boxes.current[Math.max(0, Math.min(place, CODE_LENGTH - 1))]?.focus();

  /** Inserts letters from the box on; letters behind a gap move up. */
  const put = (place: number, text: string) => {
    const letters = text.replaceAll(/[^A-Za-z0-9]/gu, '');
    const start = Math.min(place, value.length);
    const next = (value.slice(0, start) + letters + value.slice(start + Math.max(1, letters.length))).slice(0, CODE_LENGTH);
    onChange(next);
    focus(start + letters.length);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, place: number) => {
    if (event.key === 'ArrowLeft') focus(place - 1);
    else if (event.key === 'ArrowRight') focus(place + 1);
    else if (event.key === 'Backspace') {
      event.preventDefault();
      const gone = value[place] === undefined ? place - 1 : place;
      if (gone < 0) return;
      onChange(value.slice(0, gone) + value.slice(gone + 1));
      focus(gone);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text').trim();
    const ofLink = /[?&]code=([A-Za-z0-9]{7})(?:&|$)/u.exec(text)?.[1];
    put(0, ofLink ?? text);
  };
  return (
    <fieldset className={styles.boxes} disabled={disabled}>
      <legend className="sr">Joining code, 7 characters</legend>
      {places.map((place) => (
        <input
          key={place}
          ref={(box) => {
            boxes.current[place] = box;
          }}
          aria-label={`Character ${place + 1} of ${CODE_LENGTH}`}
          value={value[place] ?? ''}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this code and nothing else
          autoFocus={place === 0}
          autoComplete={place === 0 ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          inputMode="text"
          onChange={(event) => put(place, event.target.value.replace(value[place] ?? '', ''))}
          onFocus={(event) => event.target.select()}
          onKeyDown={(event) => onKeyDown(event, place)}
          onPaste={onPaste}
        />
      ))}
    </fieldset>
  );
};
