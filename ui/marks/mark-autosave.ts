import { uuid } from '../api/uuid.ts';
import type { AutosaveOptions } from '../drafts/draft-autosave.ts';
import { DraftAutosave } from '../drafts/draft-autosave.ts';
import type { MarkDrafts, MarksInput, SheetKey, TextDraft } from './mark-drafts.ts';
import { cellIn, sentCell } from './mark-drafts.ts';

export type MarkAutosave = DraftAutosave<string, string, MarksInput>;

/**
 * Saves the marks of sheets automatically. One save per class and test is in flight at a time: the saves of an entry are numbered, and the
 * server refuses an earlier number after a later one. What was typed while another teacher was viewed is a save of its own: it is recorded
 * as typed then, whoever is viewed by now.
 */
export const markAutosave = (drafts: MarkDrafts): MarkAutosave => {
  /** By group: this page's entry, and the number of its last save. */
  const entries = new Map<string, { readonly entryId: string; seq: number }>();
  /**
   * A save whose answer was lost is sent again, perhaps from another tab, and would be refused after a later save of its entry: so what is
   * typed meanwhile gets an entry of its own.
   */
  const entryOf = (group: string) => {
    const before = entries.get(group);
    const isGoing = Object.values(drafts.seen().batches).some(({ input }) => input.entryId === before?.entryId);
    const entry = before && !isGoing ? before : { entryId: uuid(), seq: 0 };
    entries.set(group, entry);
    return entry;
  };
  return new DraftAutosave(drafts, {
    groupOf,
    inputOf: (group, typed) => {
      const entry = entryOf(group);
      return {
        entryId: entry.entryId,
        subjectId: sheetKeyIn(group).subjectId,
        seq: ++entry.seq,
        cells: Object.entries(typed).flatMap(([key, draft]) => sentCell(key, draft) ?? []),
        typedAt: new Date().toISOString(),
        ...asIn(group),
      };
    },
  });
};

export type MarkAutosaveOptions = Pick<AutosaveOptions<string, string, MarksInput>, 'send' | 'pause'> & {
  /** The most that a question is worth now; undefined: not known here, so the server checks it. */
  readonly maximumOf?: (questionId: string) => number | undefined;
  readonly onSaved?: (sheetKey: SheetKey) => void;
};

/** A text that is no mark, or a mark above its maximum, waits for its author. */
export const savingMarks = ({ maximumOf, onSaved, ...others }: MarkAutosaveOptions): AutosaveOptions<string, string, MarksInput> => ({
  ...others,
  isReady: (key, draft) => {
    const questionId = cellIn(key)?.questionId;
    const sent = sentCell(key, draft);
    if (!sent) return false;
    const max = questionId === undefined ? undefined : maximumOf?.(questionId);
    return max === undefined || typeof sent.is !== 'number' || sent.is <= max;
  },
  onSaved: (group) => onSaved?.(sheetKeyIn(group)),
});

/** The groups of a sheet, as whomever its marks were typed. */
export const ofSheet =
  (sheetKey: SheetKey) =>
  (group: string): boolean =>
    `${group} `.startsWith(`${groupNameOf(sheetKey)} `);

const groupNameOf = ({ subjectId, setId, testId }: SheetKey): string => `${subjectId} ${setId} ${testId}`;

const sheetKeyIn = (group: string): SheetKey => {
  const [subjectId = '', setId = '', testId = ''] = group.split(' ');
  return { subjectId, setId, testId };
};

const asIn = (group: string): Pick<MarksInput, 'as'> => {
  const as = group.split(' ').slice(3);
  return as.length === 0 ? {} : { as: as.join(' ') };
};

/** Totals are submitted, not saved automatically. */
const groupOf = (key: string, { as }: TextDraft): string | undefined => {
  const cell = cellIn(key);
  if (cell === undefined || cell.kind === 'total') return undefined;
  return as === undefined ? groupNameOf(cell.sheetKey) : `${groupNameOf(cell.sheetKey)} ${as}`;
};
