import type { Turned } from '#api/marks/marks.contract';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useMemo, useState } from 'react';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { useSend } from '../../ui/sending/useSend.ts';
import type { Send } from '../../ui/drafts/outbox.ts';
import { useKeptDrafts, useSeen } from '../../ui/drafts/useDraftStore.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import { counted } from '../format.ts';
import { useStructure } from '../queries.ts';
import type { MarkAutosave } from '../../ui/marks/mark-autosave.ts';
import type { StoredSave } from '../../ui/marks/enter-marks.ts';
import { enterMarks, troublesIn, undoMarks } from '../../ui/marks/enter-marks.ts';
import { PageSaves } from '../../ui/marks/page-saves.ts';
import type { SheetKey, MarksBatch, MarksInput, MarkDrafts } from '../../ui/marks/mark-drafts.ts';
import { cellIn, openMarkDrafts, isSameSheet } from '../../ui/marks/mark-drafts.ts';
import { useMarkAutosave } from '../../ui/marks/useMarkAutosave.ts';

/** When marks of a sheet were stored last, on this page. */
type LastSave = { readonly sheetKey: SheetKey; readonly at: Date };
type Typing = {
  readonly drafts: MarkDrafts;
  readonly send: Send<string, MarksInput>;
  /** The save that this page sent under this number of an entry; undefined: it changed nothing, or another tab has sent it. */
  readonly storedAs: (entryId: string, seq: number) => StoredSave | undefined;
  /** What this page has stored, for taking it back. */
  readonly statements: PageSaves;
  /** Undoes a save. Throws what the server, or the way to it, refuses. */
  readonly takeBack: (save: StoredSave) => Promise<Turned>;
  readonly autosave: MarkAutosave;
  readonly lastSaves: readonly LastSave[];
  /** The sheets that are shown now: each says itself what waits there. */
  readonly open: readonly SheetKey[];
  readonly announceOpen: (sheetKey: SheetKey) => () => void;
};
const TypingContext = createContext<Typing | undefined>(undefined);

/** Sends typed marks independently of the open sheet: an unfinished save continues after the sheet is closed or the page reloaded. */
export const TypingProvider = ({ children }: { readonly children: ReactNode }) => {
  const { accountId } = useSession().me;
  const [drafts] = useState(() => openMarkDrafts(accountId));
  const [saves] = useState(() => new Map<string, StoredSave>());
  const [statements] = useState(() => new PageSaves());
  const send = useSendMarks(saves, statements);
  const takeBack = useTakeBack();
  const storedAs = useCallback((entryId: string, seq: number) => saves.get(`${entryId} ${seq}`), [saves]);
  const seen = useKeptDrafts(drafts, send);
  const { autosave, lastSaves } = useSaves(drafts, send);
  const [open, setOpen] = useState<readonly SheetKey[]>([]);
  const announceOpen = useCallback((sheetKey: SheetKey) => {
    setOpen((before) => [...before, sheetKey]);
    return () => setOpen((before) => before.filter((one) => one !== sheetKey));
  }, []);
  // What the browser does not keep is lost with the page.
  useUnsaved(!seen.isKept && Object.keys(seen.drafts).length > 0, 'app');
  return (
    <TypingContext value={{ drafts, send, storedAs, statements, takeBack, autosave, lastSaves, open, announceOpen }}>
      {children}
    </TypingContext>
  );
};

export const useTyping = (): Typing => {
  const typing = use(TypingContext);
  if (!typing) throw new Error('There is no TypingProvider above this component.');
  return typing;
};

/** Everything that is typed and not stored yet. */
export const useMarkDrafts = () => useSeen(useTyping().drafts);

/** The automatic saves, and when the last one was. */
const useSaves = (drafts: MarkDrafts, send: Send<string, MarksInput>) => {
  const [lastSaves, setLastSaves] = useState<readonly LastSave[]>([]);
  const structure = useStructure().data;
  // Asked for once per cell of a pasted block.
  const maxima = useMemo(
    () => new Map(structure?.tests.flatMap(({ questions }) => questions.map((one) => [one.questionId, one.marksAvailable] as const))),
    [structure],
  );
  const autosave = useMarkAutosave(drafts, {
    send,
    maximumOf: (questionId) => maxima.get(questionId),
    onSaved: (sheetKey) =>
      setLastSaves((before) => [...before.filter((one) => !isSameSheet(one.sheetKey, sheetKey)), { sheetKey, at: new Date() }]),
  });
  return { autosave, lastSaves };
};

/** `saves`: takes what was stored, by entry and number. `statements`: takes the marks among it. */
const useSendMarks = (saves: Map<string, StoredSave>, statements: PageSaves): Send<string, MarksInput> => {
  const api = useApi();
  const sending = {
    act: (batch: MarksBatch) => enterMarks(api, batch),
    invalidates: ['marks' as const],
    showsError: true,
  };
  const totals = useSend({ ...sending, work: ({ input }) => `Storing ${counted(input.cells.length, 'total')}` });
  // The sheet itself says what is on its way, at every pause in typing.
  const marks = useSend({ ...sending, isLarge: ({ values }) => Object.keys(values).length > MANY });
  return async (batch) => {
    const keys = Object.keys(batch.values);
    const isTotals = keys.some((key) => cellIn(key)?.kind === 'total');
    const answer = await (isTotals ? totals : marks).request(batch);
    const { entryId, seq } = batch.input;
    const troubles = troublesIn(batch, answer);
    if (answer.commandId !== null) saves.set(`${entryId} ${seq}`, { entryId, commandId: answer.commandId });
    if (answer.commandId !== null && !isTotals && !batch.takenBack) statements.add(batch, answer.commandId, troubles);
    return troubles;
  };
};

const useTakeBack = () => {
  const api = useApi();
  return useSend({ act: (save: StoredSave) => undoMarks(api, save), invalidates: ['marks'], showsError: true }).request;
};

/** The live line does not send the change of more cells than this: LARGEST_CHANGE of api/live/step.ts. */
const MANY = 200;
