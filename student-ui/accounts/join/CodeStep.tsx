import type { JoinSchool } from '#api/contract/auth';
import { CODE_LENGTH, isJoinCode } from '#api/contract/auth-messages';
import { Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { sentence } from '../../../ui/api/failure.ts';
import { useSending } from '../../../ui/sending/useSending.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { askAuth } from '../form/ask.ts';
import { formClass } from '../../../ui/frame/Card.tsx';
import { CodeBoxes } from './CodeBoxes.tsx';

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
