import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { SubmitFeedback } from '#api/marks/submissions/submissions.contract';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { messagesIn } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import { DraftAutosave } from '../../ui/drafts/draft-autosave.ts';
import type { Batch } from '../../ui/drafts/drafts.ts';
import { dropPaper, keepPaper, keptPaper } from '../../ui/drafts/offline.ts';
import type { Send } from '../../ui/drafts/outbox.ts';
import type { Trouble } from '../../ui/drafts/seen.ts';
import { useKeptDrafts, useSeen } from '../../ui/drafts/useDraftStore.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import type { OwnMarkDrafts, OwnMarksInput, OwnMarkValue } from './own-mark-drafts.ts';
import {
  maySend,
  ofGoneQuestions,
  openOwnMarkDrafts,
  ownKey,
  placeIn,
  ownMarksInputOf,
  submitKey,
  waitingTests,
  withMarks,
  wrongIn,
} from './own-mark-drafts.ts';
import { submitAddress } from './place.ts';
import { shareStored } from './stored-elsewhere.ts';

type OwnMarks = {
  readonly drafts: OwnMarkDrafts;
  /** When marks of a test were stored last, on this page. */
  readonly savedAt: Readonly<Record<string, Date>>;
  /** Resolves once the server has answered; without a network the marks go when it is back, even after a reload. */
  readonly submit: (testId: string, marks: SubmitFeedback['marks']) => Promise<void>;
  /** The test whose form is shown now: the form itself says which of its marks wait. */
  readonly shown: string | undefined;
  /** A form is shown until the returned function is called. */
  readonly show: (testId: string) => () => void;
};
const OwnMarksContext = createContext<OwnMarks | undefined>(undefined);

/** Keeps and sends what a student enters, whichever of their pages is open. Staff who view these pages enter nothing. */
export const OwnMarksProvider = ({ children }: { readonly children: ReactNode }) =>
  useSession().me.role === 'student' ? <Keeping>{children}</Keeping> : children;

const Keeping = ({ children }: { readonly children: ReactNode }) => {
  const { accountId } = useSession().me;
  const [drafts] = useState(() => openOwnMarkDrafts(accountId));
  const [autosave] = useState(() => new DraftAutosave(drafts, { groupOf: (key) => placeIn(key)?.testId, inputOf: ownMarksInputOf }));
  const [savedAt, setSavedAt] = useState<Readonly<Record<string, Date>>>({});
  const [shown, setShown] = useState<string>();
  const show = useCallback((testId: string) => {
    setShown(testId);
    return () => setShown(undefined);
  }, []);
  const onStored = useCallback((testId: string) => setSavedAt((before) => ({ ...before, [testId]: new Date() })), []);
  const { send, settledElsewhere } = useSendOwn(accountId, onStored);
  const seen = useKeptDrafts(drafts, send);
  useSettled(seen.batches, settledElsewhere);
  useEffect(() =>
    autosave.configure({
      send,
      isReady: (key) => maySend(drafts.seen(), key),
    }),
  );
  useEffect(() => autosave.start(), [autosave]);
  // What the browser does not keep is lost with the page.
  useUnsaved(!seen.isKept && Object.keys(seen.drafts).length > 0);
  const submit = async (testId: string, marks: SubmitFeedback['marks']) => {
    const isSettled = () => waitingTests(drafts.seen()).every((one) => one.testId !== testId || one.reason !== undefined);
    drafts.discard(ofGoneQuestions(testId, marks, drafts.seen()));
    drafts.type({ [submitKey(testId)]: { value: marks, saw: null } });
    // What was typed last goes first.
    const saveNow = () => autosave.saveNow((group) => group === testId);
    if (!(await saveNow()) && !isSettled()) await saveNow();
  };
  return <OwnMarksContext value={{ drafts, savedAt, submit, shown, show }}>{children}</OwnMarksContext>;
};

/** @throws for staff, who enter no marks of their own */
export const useOwnMarks = (): OwnMarks => {
  const ownMarks = use(OwnMarksContext);
  if (!ownMarks) throw new Error('There is no OwnMarksProvider of a student above this component.');
  return ownMarks;
};

/** Everything that this student has typed or submitted and that is not stored yet. */
export const useOwnMarkDrafts = () => useSeen(useOwnMarks().drafts);

/** Its page says itself what became of the marks. */
const isOpen = (testId: string): boolean => location.pathname + location.search === submitAddress(testId);

/** The queries that show a student's own marks, or what waits for them. */
const REST_ON_MARKS: ReadonlySet<unknown> = new Set([
  'submission',
  'to-submit',
  'student-tasks',
  'student-home',
  'student-card',
  'student-topics',
  'my-data',
]);

/**
 * Shows a stored mark before its draft is removed, so that it does not flicker. `onStored` is called in every tab, whichever has sent the
 * mark.
 */
const useSendOwn = (accountId: string, onStored: (testId: string) => void) => {
  const api = useApi();
  const client = useQueryClient();
  const sentHere = useRef(new Set<string>());
  const refetch = () => client.invalidateQueries({ predicate: ({ queryKey: [name] }) => REST_ON_MARKS.has(name) });
  /** What is stored stands on the page before it has been asked for again, and on what the device keeps of it, whichever page is open. */
  const show = async ({ kind, input }: OwnMarksInput): Promise<void> => {
    if (kind === 'submit') return dropPaper(accountId, input.testId);
    const { queryKey } = question(api, 'submission', { testId: input.testId });
    // An answer that is on its way may be older.
    const stopped = client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (page) => page && withMarks(page, input));
    await stopped;
    const paper = await keptPaper(accountId, input.testId);
    if (paper) await keepPaper(accountId, withMarks(paper, input));
  };
  const tabs = useTabs(accountId, (testId) => {
    onStored(testId);
    void refetch();
  });
  const { request } = useSend({
    act: async ({ id, input: save }: Batch<OwnMarkValue, OwnMarksInput>) => {
      sentHere.current.add(id);
      let wrong: Readonly<Record<string, Trouble>> = {};
      if (save.kind === 'submit') await api.command('SubmitFeedback', save.input, { key: id });
      else
        try {
          await api.command('SaveFeedback', save.input, { key: id });
        } catch (error) {
          wrong = wrongIn(save.input, messagesIn(error));
          const marks = save.input.marks.filter(({ questionId }) => wrong[ownKey(save.input.testId, questionId)] === undefined);
          if (marks.length === 0 || marks.length === save.input.marks.length) throw error;
          // Nothing was stored. A mark that has become wrong, as its question was changed or removed, does not keep the others back.
          await api.command('SaveFeedback', { ...save.input, marks });
        }
      tabs.current?.stored(save.input.testId);
      const isAll = Object.keys(wrong).length === 0;
      if (isAll) await show(save);
      const shown = refetch();
      // What is shown already does not wait for the answers: without a network what is typed next would wait behind them.
      if (!isAll || save.kind === 'submit') await shown;
      onStored(save.input.testId);
      return wrong;
    },
    notice: (_, { input: save }) => (save.kind === 'submit' && !isOpen(save.input.testId) ? 'Your marks are submitted.' : undefined),
    // What is refused has its reason in what others have changed meanwhile.
    onFailed: refetch,
    showsError: true,
  });
  const send: Send<OwnMarkValue, OwnMarksInput> = (batch) => request(batch);
  /** Another tab was told by the server what became of a batch. What was refused is still a draft. */
  const settledElsewhere = ({ id, input }: Batch<OwnMarkValue, OwnMarksInput>) => {
    if (sentHere.current.has(id)) return;
    if (input.kind === 'save') void show(input);
    void refetch();
  };
  return { send, settledElsewhere };
};

const useTabs = (accountId: string, onStored: (testId: string) => void) => {
  const api = useApi();
  const tabs = useRef<ReturnType<typeof shareStored>>(undefined);
  const tell = useEffectEvent(onStored);
  useEffect(() => {
    const shared = shareStored(accountId, api, (testId) => tell(testId));
    tabs.current = shared;
    return shared.close;
  }, [accountId, api]);
  return tabs;
};

const useSettled = (
  batches: Readonly<Record<string, Batch<OwnMarkValue, OwnMarksInput>>>,
  onGone: (batch: Batch<OwnMarkValue, OwnMarksInput>) => void,
): void => {
  const before = useRef(batches);
  const tell = useEffectEvent(onGone);
  useLayoutEffect(() => {
    for (const batch of Object.values(before.current)) if (!Object.hasOwn(batches, batch.id)) tell(batch);
    before.current = batches;
  }, [batches]);
};
