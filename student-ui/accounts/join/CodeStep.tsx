import type { JoinSchool } from '#api/contract/auth';
import { CODE_LENGTH, isJoinCode } from '#api/contract/auth-messages';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { sentence } from '../../../ui/api/failure.ts';
import { useSending } from '../../../ui/sending/useSending.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { askAuth } from '../form/ask.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import styles from './Join.module.css';

type CodeStepProps = {
  readonly found: (school: JoinSchool) => void;
  readonly failed: (why: string | undefined) => void;
  /** A code in the address is sent once by itself, not again after a refusal. */
  readonly isFirstTry: boolean;
};

export const CodeStep = ({ found, failed, isFirstTry }: CodeStepProps) => {
  const [search] = useSearchParams();
  const given = search.get('code') ?? '';
  const [code, setCode] = useState(given.length === CODE_LENGTH && isFirstTry ? given : '');
  const [scanning, setScanning] = useState(false);
  const [refusals, setRefusals] = useState(0);

  const { send, pending, answer } = useSending({
    act: (typed: string) => {
      failed(undefined);
      return askAuth<JoinSchool>('/join/code', { code: typed });
    },
    onDone: found,
    onFailed: (error) => {
      setCode('');
      setRefusals((before) => before + 1);
      failed(sentence(error));
    },
  });
  // Until the next step is there.
  const busy = pending || answer !== undefined;
  useEffect(() => {
    if (isFirstTry && given.length === CODE_LENGTH) void send(given);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, for the code that the page was opened with
  }, []);

  return (
    <form
      className={formClass}
      onSubmit={(event) => {
        event.preventDefault();
        if (isJoinCode(code)) void send(code);
      }}
    >
      {/* New boxes after a refusal: disabled ones have lost the focus, and the first takes it. */}
      <CodeBoxes
        key={refusals}
        value={code}
        onChange={(next) => {
          setCode(next);
          if (next.length === CODE_LENGTH && isJoinCode(next)) void send(next);
        }}
        disabled={busy}
      />
      <Button look="primary" type="submit" disabled={busy || !isJoinCode(code)}>
        {busy ? 'Looking it up…' : 'Continue'}
      </Button>
      {hasCamera && !scanning && <Button onClick={() => setScanning(true)}>Scan a QR code</Button>}
      {scanning && (
        <Suspense fallback={<p role="status">Starting the camera…</p>}>
          <Scanner
            found={(scanned) => {
              setScanning(false);
              setCode(scanned);
              void send(scanned);
            }}
            stop={() => setScanning(false)}
          />
        </Suspense>
      )}
    </form>
  );
};

const hasCamera = typeof navigator.mediaDevices?.getUserMedia === 'function';

const Scanner = lazily(() => import('./Scanner.tsx'), 'Scanner');

type CodeBoxesProps = { readonly value: string; readonly onChange: (value: string) => void; readonly disabled: boolean };

const places = Array.from({ length: CODE_LENGTH }, (_, place) => place);

/** Seven boxes, one letter each: typing moves on, Backspace moves back, and a whole code can be pasted into any box. */
const CodeBoxes = ({ value, onChange, disabled }: CodeBoxesProps) => {
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
