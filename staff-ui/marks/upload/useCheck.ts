import type { SeenCell, Uploaded, UploadPreview } from '#api/marks/upload/uploads.contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sentence } from '../../../ui/api/failure.ts';
import type { SendCommand } from '../../../ui/sending/useSend.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { counted } from '../../format.ts';
import { decidesOf, sawOf, writtenBy } from './preview-model.ts';
import { isStored, storedText } from './outcome-text.ts';
import { useUndo } from './undo.ts';

export type Confirmed = {
  readonly saw: SeenCell[];
  readonly decides: { admissionNo: string; column: number }[];
  readonly questionIds: string[];
};
/** Sends the upload. */
export type Send = (confirmed: Confirmed, command: SendCommand) => Promise<Uploaded>;

/** Previews the file again: after it is stored, this counts the cells that also hold somebody else's value. */
export type Compare = () => Promise<UploadPreview>;

type Commit = { readonly fileName: string; readonly preview: UploadPreview; readonly send: Send; readonly compare: Compare };

/** From a preview to its commit, for either kind of upload. */
export const useCheck = ({ open, noun }: { readonly open: boolean; readonly noun: 'total' | 'mark' }) => {
  const toast = useToast();
  const { turn } = useUndo();
  const [preview, setPreview] = useState<UploadPreview>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [uploaded, setUploaded] = useState<Uploaded>();
  const [contested, setContested] = useState(0);
  const shown = useRef<UploadPreview>(undefined);
  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
    return () => {
      isOpen.current = false;
    };
  }, [open]);

  const sending = useSend({
    invalidates: ['marks'],
    work: ({ preview: seen, fileName }: Commit) => `Storing ${counted(writtenBy(seen), noun)} of ${fileName}`,
    showsError: true,
    act: ({ preview: seen, send }, command) =>
      send({ saw: sawOf(seen), decides: decidesOf(seen, ticked), questionIds: [...seen.questionIds] }, command),
    onDone: (result, { fileName, preview: seen, compare }) => {
      setUploaded(result);
      void compare().then(
        ({ counts }) => shown.current === seen && setContested(counts.contested),
        // The count is only informative: the markbook marks these cells anyway.
        () => undefined,
      );
      if (isOpen.current) return;
      toast({
        tone: 'good',
        text: storedText(result, noun),
        ...(isStored(result) ? { action: { label: 'Undo', run: () => turn({ ...result, name: fileName }, 'undone') } } : {}),
      });
    },
    onFailed: (error, { fileName }) => {
      if (!isOpen.current) toast({ tone: 'bad', text: `${fileName} was not uploaded. ${sentence(error)}` });
    },
  });
  const { send: store, forget, pending: busy, error } = sending;

  /** `ticks`: cells that stay ticked, of the same file. */
  const show = useCallback(
    (next: UploadPreview | undefined, ticks: ReadonlySet<string> = new Set()) => {
      shown.current = next;
      setPreview(next);
      setTicked(ticks);
      setUploaded(undefined);
      setContested(0);
      forget();
    },
    [forget],
  );

  const tick = useCallback((cell: string) => {
    setTicked((before) => {
      const after = new Set(before);
      if (!after.delete(cell)) after.add(cell);
      return after;
    });
  }, []);

  const commit = (fileName: string, send: Send, compare: Compare) => {
    if (preview && !busy) void store({ fileName, preview, send, compare });
  };

  const failed = error === undefined ? undefined : ({ of: 'server', error } as const);
  return { preview, show, ticked, tick, commit, busy, failed, uploaded, contested };
};

export type Check = ReturnType<typeof useCheck>;
