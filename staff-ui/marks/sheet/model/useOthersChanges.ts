import { useQueries } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { question, useApi } from '../../../../ui/api/ApiProvider.tsx';
import { useSession } from '../../../../ui/session/Session.tsx';
import { counted, some } from '../../../format.ts';
import type { MarkDraftState } from '../../../../ui/marks/mark-drafts.ts';
import { cellIn } from '../../../../ui/marks/mark-drafts.ts';
import type { Stored } from './cells.ts';

/** How many cells' authors are asked for: all that a colleague types, and enough of an upload to name its author. */
const ASKED = 6;
/** ms that a colleague's entry stays highlighted */
const STAYS = 30_000;

/** What colleagues have entered while the sheet is open: in which cells, and who. */
export const useOthersChanges = (
  stored: ReadonlyMap<string, Stored>,
  batches: MarkDraftState['batches'],
  /** Cells that this page has taken something back in: what shows there then is not new. */
  turned: RefObject<Set<string>>,
) => {
  const api = useApi();
  const { me } = useSession();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const before = useRef(stored);
  const sent = useRef(new Map<string, string>());
  // What this page has sent is nobody else's when it arrives.
  useEffect(() => {
    for (const { values } of Object.values(batches)) for (const [key, text] of Object.entries(values)) sent.current.set(key, text.trim());
  }, [batches]);
  useEffect(() => {
    const earlier = before.current;
    before.current = stored;
    if (earlier === stored) return;
    const changed = [...stored].flatMap(([key, now]) => {
      const was = earlier.get(key);
      if (was === undefined || was.saw === now.saw || turned.current.delete(key)) return [];
      return sent.current.get(key) === now.text ? [] : [key];
    });
    if (changed.length > 0) setKeys((all) => new Set([...all, ...changed]));
  }, [stored, turned]);
  useEffect(() => {
    if (keys.size === 0) return;
    const timer = setTimeout(() => setKeys(new Set()), STAYS);
    return () => clearTimeout(timer);
  }, [keys]);

  const latest = [...keys].slice(-ASKED);
  const histories = useQueries({
    queries: latest.map((key) => {
      const cell = cellIn(key);
      return question(
        api,
        'cell',
        cell && {
          testId: cell.sheetKey.testId,
          studentId: cell.studentId,
          ...(cell.questionId === undefined ? {} : { questionId: cell.questionId }),
          ...(cell.kind === 'attendance' ? { attendance: 'true' as const } : {}),
        },
      );
    }),
  });
  const names = new Map(
    latest.flatMap((key, index) => {
      const last = histories[index]?.data?.changes.at(-1);
      return last ? [[key, { by: last.by ?? 'somebody who was forgotten', is: last.is }] as const] : [];
    }),
  );
  // From another page of one's own, or taken back there: nobody is told of oneself.
  const isOthers = (key: string): boolean => keys.has(key) && names.get(key)?.by !== me.name;
  const shown = [...keys].filter(isOthers);
  const authors = [...new Set([...names.values()].map(({ by }) => by))].filter((by) => by !== me.name);
  const isEmpty = (key: string): boolean => stored.get(key)?.text === '';
  return {
    noteOf: (key: string) =>
      isOthers(key) ? `${isEmpty(key) ? 'just taken out' : 'just entered'} by ${names.get(key)?.by ?? 'somebody else'}` : undefined,
    /** For the status line; undefined: nothing is new. */
    text:
      shown.length === 0
        ? undefined
        : `${authors.length > 0 ? some(authors) : 'Somebody else'} changed ${counted(shown.length, 'cell')} just now`,
  };
};
