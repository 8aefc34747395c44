import { useRef, useState } from 'react';
import { Foreseen } from '../../../ui/api/failure.ts';
import { ask } from '../../../ui/feedback/ask.ts';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import type { HandOut } from '../../../ui/file/useHandOut.ts';
import { useHandOut } from '../../../ui/file/useHandOut.ts';
import type { Making } from '../../../ui/reports/parts.ts';
import { unprintableText } from '../../../ui/reports/unprintable.ts';
import { useSend } from '../../../ui/sending/useSend.ts';

type Made = {
  readonly file: ArrayBuffer | Blob;
  readonly fileName: string;
  /** What its reader must know, such as who is left out. */
  readonly notes: readonly string[];
  readonly unprintable: readonly string[];
  /** For the record. */
  readonly handOut: HandOut;
};
export type Report<Request> = {
  readonly make: (request: Request) => Promise<unknown>;
  readonly pending: boolean;
  readonly progress: { readonly done: number; readonly all: number } | undefined;
  readonly cancel: () => void;
  /** The last one was cancelled: there is no file of it. */
  readonly wasCancelled: boolean;
  /** Why it failed; not if it was cancelled. */
  readonly error: unknown;
};

/** Makes a report on this device and saves it; shows progress, and can be cancelled. */
export const useReport = <Request = void>(make: (making: Making, request: Request) => Promise<Made | undefined>): Report<Request> => {
  const toast = useToast();
  const handOut = useHandOut();
  const [progress, setProgress] = useState<Report<Request>['progress']>();
  const stop = useRef<AbortController>(undefined);
  const { send, pending, error } = useSend({
    act: async (request: Request) => {
      const aborting = new AbortController();
      stop.current = aborting;
      setProgress(undefined);
      const made = await make({ signal: aborting.signal, onProgress: (done, all) => setProgress({ done, all }) }, request);
      // Cancelled while the last of it was put together.
      aborting.signal.throwIfAborted();
      const cannot = unprintableText(made?.unprintable ?? []);
      if (cannot !== undefined && !(await ask({ ...UNPRINTABLE, text: `${cannot}. In the file they would be boxes.` }))) return undefined;
      if (made) await handOut(made.handOut, made.fileName, made.file, made.file instanceof Blob ? made.file.type : typeOf(made.fileName));
      return made;
    },
    onDone: (made) => {
      if (made && made.notes.length > 0) toast({ tone: 'warn', text: made.notes.join(' ') });
    },
    showsError: true,
  });
  const wasCancelled = error instanceof DOMException && error.name === 'AbortError';
  return { make: send, pending, progress, cancel: () => stop.current?.abort(), wasCancelled, error: wasCancelled ? undefined : error };
};

const UNPRINTABLE = { title: 'Download it without these letters?', go: 'Download all the same', stay: 'No file' } as const;

/** There is nothing to report; the message says why. */
export class NothingToReport extends Foreseen {}

const typeOf = (fileName: string): string => (fileName.endsWith('.zip') ? 'application/zip' : 'application/pdf');
