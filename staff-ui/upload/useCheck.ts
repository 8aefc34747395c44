import type { CommandAnswer } from '#contract/live';
import type { SeenCell, Uploaded, UploadPreview } from '#contract/marks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useMoved } from '../../ui/api/ApiProvider.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { uuid } from '../../ui/api/uuid.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useWork } from '../../ui/feedback/Work.tsx';
import { counted } from '../format.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { decidesOf, sawOf, writtenBy } from './preview-model.ts';
import { isStored, storedText } from './outcome-text.ts';
import { useUndo } from './undo.ts';
import type { Failed } from '../../ui/file/UploadFailure.tsx';

export type Confirmed = {
  readonly saw: SeenCell[];
  readonly decides: { admissionNo: string; column: number }[];
  readonly questionIds: string[];
};
/** Sends the upload under an idempotency key. */
export type Send = (confirmed: Confirmed, key: string) => Promise<CommandAnswer<Uploaded>>;

/** Previews the file again: after it is stored, this counts the cells that also hold somebody else's value. */
export type Compare = () => Promise<UploadPreview>;

/**
 * From a preview to its commit, for either kind of upload. A preview has one idempotency key, so that pressing Commit again after a
 * failure cannot store the file twice.
 */
export const useCheck = ({ open, noun }: { readonly open: boolean; readonly noun: 'total' | 'mark' }) => {
  const { subject } = useSession();
  const moved = useMoved();
  const { run } = useWork();
  const toast = useToast();
  const { turn } = useUndo();
  const [preview, setPreview] = useState<UploadPreview>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [uploaded, setUploaded] = useState<Uploaded>();
  const [contested, setContested] = useState(0);
  const [failed, setFailed] = useState<Failed>();
  const [busy, setBusy] = useState(false);
  const key = useRef<string>(undefined);
  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
    return () => {
      isOpen.current = false;
    };
  }, [open]);

  const show = useCallback((next: UploadPreview | undefined) => {
    setPreview(next);
    setTicked(new Set());
    setUploaded(undefined);
    setContested(0);
    setFailed(undefined);
    key.current = undefined;
  }, []);

  const tick = useCallback((cell: string) => {
    setTicked((before) => {
      const after = new Set(before);
      if (!after.delete(cell)) after.add(cell);
      return after;
    });
    key.current = undefined;
  }, []);

  const commit = async (fileName: string, send: Send, compare: Compare) => {
    if (!preview || busy) return;
    key.current ??= uuid();
    const act = key.current;
    setBusy(true);
    setFailed(undefined);
    try {
      const { result } = await run({ label: `Storing ${counted(writtenBy(preview), noun)} of ${fileName}` }, () =>
        send({ saw: sawOf(preview), decides: decidesOf(preview, ticked), questionIds: [...preview.questionIds] }, act),
      );
      setUploaded(result);
      void compare().then(
        ({ counts }) => key.current === act && setContested(counts.contested),
        // The count is only informative: the markbook marks these cells anyway.
        () => undefined,
      );
      if (subject) void moved([`marks:${subject.subjectId}`]);
      if (!isOpen.current) {
        toast({
          tone: 'good',
          text: storedText(result, noun),
          ...(isStored(result) ? { action: { label: 'Undo', run: () => turn({ ...result, name: fileName }, 'undone') } } : {}),
        });
      }
    } catch (error) {
      setFailed({ of: 'server', error });
      if (!isOpen.current) toast({ tone: 'bad', text: `${fileName} was not uploaded. ${sentence(error)}` });
    } finally {
      setBusy(false);
    }
  };

  return { preview, show, ticked, tick, commit, busy, failed, uploaded, contested };
};

export type Check = ReturnType<typeof useCheck>;
