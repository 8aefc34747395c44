import { useEffect, useState } from 'react';
import { useSession } from '../session/Session.tsx';
import type { MarkAutosave, MarkAutosaveOptions } from './mark-autosave.ts';
import { markAutosave, ofSheet, savingMarks } from './mark-autosave.ts';
import type { MarkDrafts } from './mark-drafts.ts';
import { waitingSheets } from './mark-drafts.ts';

/** Saves marks automatically while the page is there. Marks refused because their subject had been removed are sent once it is back. */
export const useMarkAutosave = (drafts: MarkDrafts, options: MarkAutosaveOptions): MarkAutosave => {
  const [autosave] = useState(() => markAutosave(drafts));
  useEffect(() => autosave.configure(savingMarks(options)));
  useEffect(() => autosave.start(), [autosave]);
  const mine = useSession()
    .me.subjects.map(({ subjectId }) => subjectId)
    .join(' ');
  useEffect(() => {
    const kept = drafts.seen();
    for (const { sheetKey, kind, keys } of waitingSheets(kept))
      if (kind === 'mark' && mine.includes(sheetKey.subjectId) && keys.some((key) => kept.troubles[key]?.ofAll))
        void autosave.saveNow(ofSheet(sheetKey)).catch(() => undefined);
  }, [mine, drafts, autosave]);
  return autosave;
};
