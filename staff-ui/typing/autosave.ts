import { uuid } from '../../ui/api/uuid.ts';
import { Autosave as DraftAutosave } from '../../ui/drafts/autosave.ts';
import type { Send } from '../../ui/drafts/store.ts';
import type { Form, Save, TextDraft, Typed } from './queue.ts';
import { cellIn, sentCell } from './queue.ts';

type Around = {
  readonly send: Send<string, Save>;
  /** The most that a question is worth now; undefined: not known here, and the server's to check. */
  readonly maximumOf?: (questionId: string) => number | undefined;
  readonly onSaved?: (form: Form) => void;
};

/**
 * Saves the marks of sheets by themselves. Of a class and a test one save is on its way at a time, because the saves of an entry are
 * numbered, and an earlier one is refused after a later one.
 */
export class Autosave {
  readonly #drafts: DraftAutosave<string, string, Save>;
  /** By form: this page's entry, and the number of its last save. */
  readonly #entries = new Map<string, { readonly entryId: string; seq: number }>();
  #around: Around | undefined;

  constructor(typed: Typed) {
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
    });
  }

  /** Follows what is typed until the returned function is called. */
  start(): () => void {
    return this.#drafts.start();
  }

  /** Sends all that waits of a form, without a pause: `saveNow` of ui/drafts/autosave.ts. */
  saveNow(form: Form): Promise<boolean> {
    return this.#drafts.saveNow(nameOf(form));
  }

  #inputOf(group: string, drafts: Readonly<Record<string, TextDraft>>): Save {
    const entry = this.#entries.get(group) ?? { entryId: uuid(), seq: 0 };
    this.#entries.set(group, entry);
    return {
      entryId: entry.entryId,
      subjectId: formIn(group).subjectId,
      seq: ++entry.seq,
      cells: Object.entries(drafts).flatMap(([key, draft]) => sentCell(key, draft) ?? []),
      typedAt: new Date().toISOString(),
    };
  }

  /** What is no mark, or above its maximum, waits for its author. */
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

/** Totals are submitted, not saved by themselves. */
const groupOf = (key: string): string | undefined => {
  const cell = cellIn(key);
  return cell === undefined || cell.kind === 'total' ? undefined : nameOf(cell.form);
};
