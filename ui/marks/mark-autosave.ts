import { uuid } from '../api/uuid.ts';
import { DraftAutosave } from '../drafts/draft-autosave.ts';
import type { Send } from '../drafts/store.ts';
import type { SheetKey, MarksInput, TextDraft, MarkDrafts } from './mark-drafts.ts';
import { cellIn, isSameSheet, sentCell } from './mark-drafts.ts';

export type MarkAutosaveOptions = {
  readonly send: Send<string, MarksInput>;
  /** The most that a question is worth now; undefined: not known here, so the server checks it. */
  readonly maximumOf?: (questionId: string) => number | undefined;
  readonly onSaved?: (sheetKey: SheetKey) => void;
  /** ms from the last key to the save; left out: PAUSE of ui/drafts/draft-autosave.ts */
  readonly pause?: number;
};

/**
 * Saves the marks of sheets automatically. One save per class and test is in flight at a time: the saves of an entry are numbered, and the
 * server refuses an earlier number after a later one. What was typed while another teacher was viewed is a save of its own: it is recorded
 * as typed then, whoever is viewed by now.
 */
export class MarkAutosave {
  readonly #drafts: MarkDrafts;
  readonly #autosave: DraftAutosave<string, string, MarksInput>;
  /** By group: this page's entry, and the number of its last save. */
  readonly #entries = new Map<string, { readonly entryId: string; seq: number }>();
  #options: MarkAutosaveOptions | undefined;

  constructor(drafts: MarkDrafts) {
    this.#drafts = drafts;
    this.#autosave = new DraftAutosave(drafts, groupOf);
  }

  /** How it sends, and what it knows, from now on. */
  configure(options: MarkAutosaveOptions): void {
    this.#options = options;
    this.#autosave.configure({
      send: options.send,
      inputOf: (group, drafts) => this.#inputOf(group, drafts),
      isReady: (key, draft) => this.#isMark(key, draft),
      onSaved: (group) => options.onSaved?.(sheetKeyIn(group)),
      ...(options.pause === undefined ? {} : { pause: options.pause }),
    });
  }

  /** Follows what is typed until the returned function is called. */
  start(): () => void {
    return this.#autosave.start();
  }

  /** Sends everything that waits in a sheet, without a pause: `saveNow` of ui/drafts/draft-autosave.ts. */
  async saveNow(sheetKey: SheetKey): Promise<boolean> {
    const groups = new Set(Object.entries(this.#drafts.seen().drafts).flatMap(([key, draft]) => groupOf(key, draft) ?? []));
    const mine = [...groups].filter((group) => isSameSheet(sheetKeyIn(group), sheetKey));
    const taken = await Promise.all((mine.length > 0 ? mine : [groupNameOf(sheetKey)]).map((group) => this.#autosave.saveNow(group)));
    return taken.every(Boolean);
  }

  #inputOf(group: string, drafts: Readonly<Record<string, TextDraft>>): MarksInput {
    const entry = this.#entryOf(group);
    return {
      entryId: entry.entryId,
      subjectId: sheetKeyIn(group).subjectId,
      seq: ++entry.seq,
      cells: Object.entries(drafts).flatMap(([key, draft]) => sentCell(key, draft) ?? []),
      typedAt: new Date().toISOString(),
      ...asIn(group),
    };
  }

  /**
   * A save whose answer was lost is sent again, perhaps from another tab, and would be refused after a later save of its entry: so what is
   * typed meanwhile gets an entry of its own.
   */
  #entryOf(group: string): { readonly entryId: string; seq: number } {
    const before = this.#entries.get(group);
    const isGoing = Object.values(this.#drafts.seen().batches).some(({ input }) => input.entryId === before?.entryId);
    const entry = before && !isGoing ? before : { entryId: uuid(), seq: 0 };
    this.#entries.set(group, entry);
    return entry;
  }

  /** A text that is no mark, or a mark above its maximum, waits for its author. */
  #isMark(key: string, draft: TextDraft): boolean {
    const cell = cellIn(key);
    const sent = sentCell(key, draft);
    if (!sent) return false;
    const max = cell?.questionId === undefined ? undefined : this.#options?.maximumOf?.(cell.questionId);
    return max === undefined || typeof sent.is !== 'number' || sent.is <= max;
  }
}

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
