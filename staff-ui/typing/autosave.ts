import { uuid } from '../../ui/api/uuid.ts';
import type { Send, Seen } from '../../ui/drafts/store.ts';
import type { Form, Save, TextDraft, Typed } from './queue.ts';
import { cellIn, sameForm, sentCell } from './queue.ts';

/** ms from the last key to the save */
export const PAUSE = 800;

type Around = {
  readonly send: Send<string, Save>;
  /** The most that a question is worth now; undefined: not known here, and the server's to check. */
  readonly maximumOf?: (questionId: string) => number | undefined;
  readonly onSaved?: (form: Form) => void;
};

/**
 * Saves the marks of sheets by themselves, a moment after the last key, whether their page is open or not: what a reload left unsent goes
 * out when the next page has begun. Of a class and a test one save is on its way at a time, because the saves of an entry are numbered, and
 * an earlier one is refused after a later one.
 */
export class Autosave {
  readonly #typed: Typed;
  #around: Around | undefined;
  /** By form: this page's entry, and the number of its last save. */
  readonly #entries = new Map<string, { readonly entryId: string; seq: number }>();
  readonly #running = new Map<string, Promise<boolean>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(typed: Typed) {
    this.#typed = typed;
  }

  /** How it sends, and what it knows, from now on. */
  use(around: Around): void {
    this.#around = around;
  }

  /** Follows what is typed until the returned function is called. */
  start(): () => void {
    const leave = this.#typed.subscribe(() => this.#later());
    this.#later();
    return () => {
      leave();
      clearTimeout(this.#timer);
    };
  }

  /**
   * Sends all that waits of a form, without a pause. Resolves once the server has answered: true if it took all of it, and nothing is on its
   * way from before a reload, or from another tab.
   */
  async saveNow(form: Form): Promise<boolean> {
    const isTaken = await this.#inTurn(form, () => true);
    return isTaken && !Object.entries(this.#typed.seen().drafts).some(([key, draft]) => isOf(key, form) && this.#isMark(key, draft));
  }

  /** Each key begins the pause anew. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#saveDue(), PAUSE);
  }

  #saveDue(): void {
    const seen = this.#typed.seen();
    if (!seen.isOpen) return;
    const forms = new Map<string, Form>();
    for (const key of this.#ready(seen, isDue)) {
      const form = cellIn(key)?.form;
      if (form) forms.set(nameOf(form), form);
    }
    for (const [name, form] of forms) if (!this.#running.has(name)) void this.#inTurn(form, isDueWithOthers);
  }

  /** What is typed while a save is on its way goes with the next one. */
  async #inTurn(form: Form, isWanted: Wanted): Promise<boolean> {
    const name = nameOf(form);
    const before = this.#running.get(name) ?? Promise.resolve(true);
    const saving = before.then(() => this.#save(form, isWanted));
    this.#running.set(name, saving);
    try {
      return await saving;
    } finally {
      if (this.#running.get(name) === saving) this.#running.delete(name);
      this.#later();
    }
  }

  async #save(form: Form, isWanted: Wanted): Promise<boolean> {
    const around = this.#around;
    const keys = this.#ready(this.#typed.seen(), isWanted).filter((key) => isOf(key, form));
    if (keys.length === 0 || !around) return keys.length === 0;
    const entry = this.#entries.get(nameOf(form)) ?? { entryId: uuid(), seq: 0 };
    this.#entries.set(nameOf(form), entry);
    const inputOf = (drafts: Readonly<Record<string, TextDraft>>): Save => ({
      entryId: entry.entryId,
      subjectId: form.subjectId,
      seq: ++entry.seq,
      cells: Object.entries(drafts).flatMap(([key, draft]) => sentCell(key, draft) ?? []),
      typedAt: new Date().toISOString(),
    });
    const isTaken = await this.#typed.save(keys, inputOf, around.send, (key, draft) => this.#isMark(key, draft));
    if (isTaken) around.onSaved?.(form);
    return isTaken;
  }

  /** The marks that may be sent and are not on their way. */
  #ready(seen: Seen<string, string, Save>, isWanted: Wanted): readonly string[] {
    return Object.entries(seen.drafts).flatMap(([key, draft]) => {
      const status = seen.statusOf(key);
      return status !== 'saving' && status !== 'offline' && isWanted(key, seen) && this.#isMark(key, draft) ? [key] : [];
    });
  }

  /** What is no mark, or above its maximum, waits for its author. */
  #isMark(key: string, draft: TextDraft): boolean {
    const cell = cellIn(key);
    const sent = cell && cell.kind !== 'total' ? sentCell(key, draft) : undefined;
    if (!sent) return false;
    const max = cell?.questionId === undefined ? undefined : this.#around?.maximumOf?.(cell.questionId);
    return max === undefined || typeof sent.is !== 'number' || sent.is <= max;
  }
}

type Wanted = (key: string, seen: Seen<string, string, Save>) => boolean;

/** What was refused waits until it is typed anew, or submitted. */
const isDue: Wanted = (key, { troubles }) => troubles[key] === undefined;

/** What failed as a whole is tried again before what is typed after it. */
const isDueWithOthers: Wanted = (key, { troubles }) => troubles[key] === undefined || troubles[key].ofAll === true;

const nameOf = ({ subjectId, setId, testId }: Form): string => `${subjectId} ${setId} ${testId}`;

const isOf = (key: string, form: Form): boolean => {
  const cell = cellIn(key);
  return cell !== undefined && sameForm(cell.form, form);
};
