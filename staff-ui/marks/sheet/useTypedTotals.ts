import { useRef, useState } from 'react';
import { uuid } from '../../../ui/api/uuid.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import type { StoredSave } from '../../../ui/marks/enter-marks.ts';
import { useMarkDrafts, useTyping } from '../Typing.tsx';
import type { TextDraft } from '../../../ui/marks/mark-drafts.ts';
import { totalKey } from '../../../ui/marks/mark-drafts.ts';
import { submittedWords } from './submitted.ts';
import type { Changes } from './totals.ts';
import { cellsOf, changesOf } from './totals.ts';
import type { SheetModel } from './model/useSheet.ts';

/** `save` left out: there is nothing to take back. `words`: what it comes to. */
export type Submission = { readonly save: StoredSave | undefined; readonly words: string };

/** What was typed into a sheet of totals and is not submitted yet. Each opening of the form is one entry, whose saves are numbered. */
export const useTypedTotals = ({ sheet, sheetKey, progress, isSaving, isOffline }: SheetModel) => {
  const { drafts, send, storedAs } = useTyping();
  const { viewAs = '' } = useSession();
  const kept = useMarkDrafts();
  const entryId = useRef(uuid());
  const saves = useRef(0);
  const [done, setDone] = useState<Submission>();
  const keys = sheet.students.map(({ studentId }) => totalKey(sheetKey, studentId));
  const stored = new Map(sheet.students.map(({ studentId, total }) => [studentId, String(total?.value ?? '')]));
  const cells = cellsOf(only(kept.drafts, keys));
  const changes = changesOf(stored, cells);

  const submit = async () => {
    setDone(undefined);
    const seq = ++saves.current;
    const typedAt = now();
    const inputOf = (drafts: Readonly<Record<string, TextDraft>>) => ({
      entryId: entryId.current,
      subjectId: sheetKey.subjectId,
      seq,
      cells: cellsOf(drafts),
      typedAt,
      as: viewAs,
    });
    if (!(await drafts.save(keys, inputOf, send))) return;
    const save = storedAs(entryId.current, seq);
    const { changed, again, removed } = save ? changes : NO_CHANGES;
    setDone({ save, words: submittedWords('total', { stored: changed + again, removed, attendances: 0 }, progress) });
  };

  return {
    typedInto: cells.length,
    changes,
    submit: () => void submit(),
    isGoing: isSaving || isOffline,
    /** Why nothing of the last submission was taken. */
    error: keys.flatMap((key) => kept.troubles[key] ?? []).find(({ ofAll }) => ofAll)?.reason,
    done,
    hideDone: () => setDone(undefined),
  };
};

const NO_CHANGES: Changes = { changed: 0, removed: 0, again: 0 };

const now = (): string => new Date().toISOString();

const only = <Of>(all: Readonly<Record<string, Of>>, keys: readonly string[]): Readonly<Record<string, Of>> =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const one = all[key];
      return one === undefined ? [] : [[key, one]];
    }),
  );
