import { uuid } from '../api/uuid.ts';
import { Autosave as DraftAutosave } from '../drafts/draft-autosave.ts';
import type { Send } from '../drafts/store.ts';
import type { Form, Save, TextDraft, Typed } from './mark-drafts.ts';
import { cellIn, sameForm, sentCell } from './mark-drafts.ts';

export type Around = {
  readonly send: Send<string, Save>;
  /** The most that a question is worth now; undefined: not known here, so the server checks it. */
  readonly maximumOf?: (questionId: string) => number | undefined;
  readonly onSaved?: (form: Form) => void;
  /** ms from the last key to the save; left out: PAUSE of ui/drafts/draft-autosave.ts */
  readonly pause?: number;
};

/**
 * Saves the marks of sheets automatically. One save per class and test is in flight at a time: the saves of an entry are numbered, and the
 * server refuses an earlier number after a later one. What was typed while another teacher was viewed is a save of its own: it is recorded
 * as typed then, whoever is viewed by now.
 */
export class Autosave {
  readonly #typed: Typed;
  readonly #drafts: DraftAutosave<string, string, Save>;
  /** By group: this page's entry, and the number of its last save. */
  readonly #entries = new Map<string, { readonly entryId: string; seq: number }>();
  #around: Around | undefined;

  constructor(typed: Typed) {
    this.#typed = typed;
    this.#drafts = new DraftAutosave(typed, groupOf);
  }

  /** How it sends, and what it knows, from now on. */
  use(around: Around): void {
    this.#around = around;
    this.#drafts.use({
      send: around.send,
      inputOf: (group, drafts) => this.#inputOf(group, drafts),
      isReady: (key, draft) => this.#isMark(key, draft),
      onSaved: (group) => around.onSaved?.(formIn(group)),
      ...(around.pause === undefined ? {} : { pause: around.pause }),
    });
  }

  /** Follows what is typed until the returned function is called. */
  start(): () => void {
    return this.#drafts.start();
  }

  /** Sends everything that waits in a form, without a pause: `saveNow` of ui/drafts/draft-autosave.ts. */
  async saveNow(form: Form): Promise<boolean> {
    const groups = new Set(Object.entries(this.#typed.seen().drafts).flatMap(([key, draft]) => groupOf(key, draft) ?? []));
    const mine = [...groups].filter((group) => sameForm(formIn(group), form));
    const taken = await Promise.all((mine.length > 0 ? mine : [nameOf(form)]).map((group) => this.#drafts.saveNow(group)));
    return taken.every(Boolean);
  }

  #inputOf(group: string, drafts: Readonly<Record<string, TextDraft>>): Save {
    const entry = this.#entryOf(group);
    return {
      entryId: entry.entryId,
      subjectId: formIn(group).subjectId,
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
    const isGoing = Object.values(this.#typed.seen().batches).some(({ input }) => input.entryId === before?.entryId);
    const entry = before && !isGoing ? before : { entryId: uuid(), seq: 0 };
    this.#entries.set(group, entry);
    return entry;
  }

  /** A text that is no mark, or a mark above its maximum, waits for its author. */
  #isMark(key: string, draft: TextDraft): boolean {
    const cell = cellIn(key);
    const sent = sentCell(key, draft);
    if (!sent) return false;
    const max = cell?.questionId === undefined ? undefined : this.#around?.maximumOf?.(cell.questionId);
    return max === undefined || typeof sent.is !== 'number' || sent.is <= max;
  }
}

const nameOf = ({ subjectId, setId, testId }: Form): string => `${subjectId} ${setId} ${testId}`;

const formIn = (group: string): Form => {
  const [subjectId = '', setId = '', testId = ''] = group.split(' ');
  return { subjectId, setId, testId };
};

const asIn = (group: string): Pick<Save, 'as'> => {
  const as = group.split(' ').slice(3);
  return as.length === 0 ? {} : { as: as.join(' ') };
};

/** Totals are submitted, not saved automatically. */
const groupOf = (key: string, { as }: TextDraft): string | undefined => {
  const cell = cellIn(key);
  if (cell === undefined || cell.kind === 'total') return undefined;
  return as === undefined ? nameOf(cell.form) : `${nameOf(cell.form)} ${as}`;
};
