import { useRef } from 'react';
import { uuid } from '../../../../ui/api/uuid.ts';
import { ofSheet } from '../../../../ui/marks/mark-autosave.ts';
import { useSession } from '../../../../ui/session/Session.tsx';
import type { Table } from '../../grid/table.ts';
import { useMarkDrafts, useTyping } from '../../Typing.tsx';
import { takenOf } from './cells.ts';
import type { sheetView, typedSheet } from './sheet-view.ts';
import { takingBack } from './take-back.ts';

type Mistyped = Readonly<Record<string, string>>;

/** What typing into a sheet does, and what takes it back. */
export const useSheetInput = (
  { kind, sheetKey, stored, mistyped }: ReturnType<typeof typedSheet>,
  { isNoMark }: ReturnType<typeof sheetView>,
  setMistyped: (next: (before: Mistyped) => Mistyped) => void,
) => {
  const { drafts, statements, takeBack: undo, autosave } = useTyping();
  const { viewAs = '' } = useSession();
  const seen = useMarkDrafts();
  /** Cells in which this page has taken something back: what shows there then is not new. */
  const turned = useRef(new Set<string>());

  const showHere = (texts: Readonly<Record<string, string | undefined>>) =>
    setMistyped((before) => {
      const next = Object.entries({ ...before, ...texts }).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return next.length === 0 && Object.keys(before).length === 0 ? before : Object.fromEntries(next);
    });
  const back = takingBack({
    drafts,
    statements,
    undo,
    stored,
    mistyped,
    showHere,
    saveNow: () => kind === 'marks' && void autosave.saveNow(ofSheet(sheetKey)).catch(() => undefined),
    noun: kind === 'marks' ? 'cell' : 'total',
  });

  const type: Table['type'] = (texts, how) => {
    const block = how === 'block' ? { block: uuid() } : {};
    const { kept, here, gone } = takenOf(texts, how, { stored, kept: seen, mistyped, isNoMark, as: viewAs, ...block });
    if (Object.keys(here).length > 0 || Object.keys(mistyped).length > 0) showHere({ ...nothing(Object.keys(texts)), ...here });
    const discarded = gone.filter((key) => seen.drafts[key]);
    if (discarded.length > 0) drafts.discard(discarded);
    if (Object.keys(kept).length === 0) return undefined;
    // Whoever begins to type sees all values that stand there by then, and decides between them by typing.
    if (how === 'typed') drafts.type(kept);
    else drafts.put(kept);
    if (how !== 'block' || kind !== 'marks') return undefined;
    void autosave.saveNow(ofSheet(sheetKey)).catch(() => undefined);
    return untilStored(Object.entries(kept).flatMap(([key, { value }]) => (isNoMark(key, value) ? [] : [[key, value] as const])));
  };

  /** Resolves once these texts wait no longer, which may be long after: without a network another tab may store them. */
  const untilStored = async (texts: readonly (readonly [key: string, text: string])[]): Promise<boolean> => {
    const isWaiting = (): boolean => texts.some(([key, text]) => drafts.seen().drafts[key]?.value === text);
    const done = Promise.withResolvers<void>();
    const leave = drafts.subscribe(() => !isWaiting() && done.resolve());
    if (isWaiting()) await done.promise;
    leave();
    return texts.length > 0;
  };

  return {
    turned,
    type,
    ...back,
    takeBack: (step: Parameters<Table['takeBack']>[0]) => {
      for (const { key } of step) turned.current.add(key);
      return back.takeBack(step);
    },
    // A mistyped text has been taken out again, and nothing was typed instead.
    leave: (key: string) => {
      if (mistyped[key] === '') void type({ [key]: '' }, 'one');
    },
    discard: (keys: readonly string[]) => {
      showHere(nothing(keys));
      drafts.discard(keys);
    },
    /** Sends everything that waits. Resolves to whether everything was taken. */
    submit: () => autosave.saveNow(ofSheet(sheetKey)),
  };
};

const nothing = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, undefined]));
