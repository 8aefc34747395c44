import { useEffect, useState } from 'react';
import { useSession } from '../session/Session.tsx';
import type { Around } from './mark-autosave.ts';
import { Autosave } from './mark-autosave.ts';
import type { Typed } from './mark-drafts.ts';
import { waitingForms } from './mark-drafts.ts';

/** Saves marks automatically while the page is there. Marks refused because their subject had been removed are sent once it is back. */
export const useAutosave = (typed: Typed, around: Around): Autosave => {
  const [autosave] = useState(() => new Autosave(typed));
  useEffect(() => autosave.use(around));
  useEffect(() => autosave.start(), [autosave]);
  const mine = useSession()
    .me.subjects.map(({ subjectId }) => subjectId)
    .join(' ');
  useEffect(() => {
    const kept = typed.seen();
    for (const { form, kind, keys } of waitingForms(kept))
      if (kind === 'mark' && mine.includes(form.subjectId) && keys.some((key) => kept.troubles[key]?.ofAll))
        void autosave.saveNow(form).catch(() => undefined);
  }, [mine, typed, autosave]);
  return autosave;
};
