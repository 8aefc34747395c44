import type { EnterMarks } from '#api/marks/marks.contract';
import { isLeaving } from '../../ui/session/signed-out.ts';

/** A class and a test, with a title for the user. */
export type Form = { readonly setId: string; readonly testId: string; readonly subjectId: string; readonly title: string };

/** A save in progress. Retried with the same number and key until the server answers, even after a reload. */
export type Save = Pick<EnterMarks, 'entryId' | 'subjectId' | 'seq' | 'cells'> & { readonly key: string; readonly typedAt: string };

export type FormState = {
  readonly form: Form;
  /** Typed text by studentId. */
  readonly typed: Readonly<Record<string, string>>;
  /** Stored text by studentId when typing began; what others store later, the author has not seen. */
  readonly saw: Readonly<Record<string, string>>;
  readonly save?: Save;
};
/** By class and test. */
type Kept = Readonly<Record<string, FormState>>;

export const formKey = ({ setId, testId }: Pick<Form, 'setId' | 'testId'>): string => `${setId} ${testId}`;

/**
 * What one user has typed in this tab and the server has not stored yet. Kept in session storage, so that it survives a reload and the
 * end of the session: ids and marks, no names. Logging out clears it.
 */
export class Typed {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly #place: string;
  readonly #listeners = new Set<() => void>();
  #kept: Kept;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, accountId: string) {
    this.#storage = storage;
    this.#place = `${PLACE}${accountId}`;
    this.#kept = read(storage, this.#place);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until something changes. */
  readonly all = (): Kept => this.#kept;

  /**
   * `texts`: undefined where nothing is typed any more. `shown`: the current texts of all fields; a field already typed over keeps
   * its first.
   */
  type(form: Form, texts: Readonly<Record<string, string | undefined>>, shown: Readonly<Record<string, string>>): void {
    const before = this.#kept[formKey(form)];
    const typed = defined({ ...before?.typed, ...texts });
    this.#put({ ...before, form, typed, saw: only({ ...shown, ...before?.saw }, typed) });
  }

  /** A save is about to be sent. */
  sending(form: Form, save: Save): void {
    this.#put({ typed: {}, saw: {}, ...this.#kept[formKey(form)], form, save });
  }

  /** The server has stored a save: its text is dropped, unless the field was changed again since. */
  stored(key: string, save: Save, refused: readonly { readonly studentId: string }[]): void {
    const state = this.#kept[key];
    if (!state) return;
    const kept = new Set(refused.map(({ studentId }) => studentId));
    const done = new Map(save.cells.filter(({ studentId }) => !kept.has(studentId)).map(({ studentId, is }) => [studentId, is]));
    const typed = Object.fromEntries(Object.entries(state.typed).filter(([studentId, text]) => !says(text, done.get(studentId))));
    const now = Object.fromEntries([...done].map(([studentId, is]) => [studentId, is === 'cleared' ? '' : String(is)]));
    this.#put({ form: state.form, typed, saw: only({ ...state.saw, ...now }, typed) });
  }

  /** The server has refused the whole save: the text stays. */
  refused(key: string): void {
    const state = this.#kept[key];
    if (state) this.#put({ form: state.form, typed: state.typed, saw: state.saw });
  }

  discard(key: string): void {
    const { [key]: _gone, ...rest } = this.#kept;
    this.#become(rest);
  }

  #put(state: FormState): void {
    if (state.save === undefined && Object.keys(state.typed).length === 0) this.discard(formKey(state.form));
    else this.#become({ ...this.#kept, [formKey(state.form)]: state });
  }

  #become(kept: Kept): void {
    this.#kept = kept;
    try {
      // After a log-out nothing is kept, even if the server still answers.
      if (isLeaving()) return;
      if (Object.keys(kept).length === 0) this.#storage.removeItem(this.#place);
      else this.#storage.setItem(this.#place, JSON.stringify(kept));
    } catch {
      // Without storage the text lasts as long as the page, which asks before it closes.
    }
    for (const listener of this.#listeners) listener();
  }
}

const PLACE = 'marktrail-typed-';

/** The question to ask before a log-out that loses typed totals; undefined: there are none. */
export const stillTyped = (): string | undefined =>
  Object.keys(sessionStorage).some((key) => key.startsWith(PLACE)) ? STILL_TYPED : undefined;

const STILL_TYPED = 'Totals that you typed are not stored yet, and logging out throws them away. Log out all the same?';

const read = (storage: Pick<Storage, 'getItem'>, place: string): Kept => {
  try {
    const kept: unknown = JSON.parse(storage.getItem(place) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
};

const says = (text: string, is: EnterMarks['cells'][number]['is'] | undefined): boolean =>
  is === 'cleared' ? text.trim() === '' : is !== undefined && text.trim() !== '' && Number(text) === is;

/** Keeps the fields that are typed over. */
const only = (texts: Readonly<Record<string, string>>, typed: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([studentId]) => Object.hasOwn(typed, studentId)));

const defined = (texts: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter((pair): pair is [string, string] => pair[1] !== undefined));
