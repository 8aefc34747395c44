import type { EnterMarks } from '#contract/marks';
import { isLeaving } from '../../ui/session/signed-out.ts';

/** What a form is about: a class and a test, with the words that name them. */
export type Form = { readonly setId: string; readonly testId: string; readonly subjectId: string; readonly title: string };

/** A save on its way. Sent again with the same number and key until the server answers, also after the page was loaded anew. */
export type Save = Pick<EnterMarks, 'entryId' | 'subjectId' | 'seq' | 'cells'> & { readonly key: string; readonly typedAt: string };

export type FormState = {
  readonly form: Form;
  /** Text by studentId: what is typed and not stored yet. */
  readonly typed: Readonly<Record<string, string>>;
  /** By studentId, what stood in the field when its author began to type over it: what others enter meanwhile he has not seen. */
  readonly saw: Readonly<Record<string, string>>;
  readonly save?: Save;
};
/** By class and test. */
type Kept = Readonly<Record<string, FormState>>;

export const formKey = ({ setId, testId }: Pick<Form, 'setId' | 'testId'>): string => `${setId} ${testId}`;

/**
 * What one person has typed in this tab, until the server has stored it. It stands in the tab's own storage, so that neither a reload nor a
 * session that ends takes it along: ids and marks, no names. Logging out clears it.
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

  /** `undefined`: as it is stored, nothing to remember. `shown`: what stands in the fields; of one that is typed over already, the first counts. */
  type(form: Form, texts: Readonly<Record<string, string | undefined>>, shown: Readonly<Record<string, string>>): void {
    const before = this.#kept[formKey(form)];
    const typed = defined({ ...before?.typed, ...texts });
    this.#put({ ...before, form, typed, saw: only({ ...shown, ...before?.saw }, typed) });
  }

  /** Before it is sent. */
  sending(form: Form, save: Save): void {
    this.#put({ typed: {}, saw: {}, ...this.#kept[formKey(form)], form, save });
  }

  /** The server has answered: what it stored is typed no more, unless something else was typed there since. */
  stored(key: string, save: Save, refused: readonly { readonly studentId: string }[]): void {
    const state = this.#kept[key];
    if (!state) return;
    const kept = new Set(refused.map(({ studentId }) => studentId));
    const done = new Map(save.cells.filter(({ studentId }) => !kept.has(studentId)).map(({ studentId, is }) => [studentId, is]));
    const typed = Object.fromEntries(Object.entries(state.typed).filter(([studentId, text]) => !says(text, done.get(studentId))));
    const now = Object.fromEntries([...done].map(([studentId, is]) => [studentId, is === 'cleared' ? '' : String(is)]));
    this.#put({ form: state.form, typed, saw: only({ ...state.saw, ...now }, typed) });
  }

  /** The server has refused all of it: what is typed stays. */
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
      // Whoever has logged out leaves nothing behind, though the server may answer him still.
      if (isLeaving()) return;
      if (Object.keys(kept).length === 0) this.#storage.removeItem(this.#place);
      else this.#storage.setItem(this.#place, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing: it stays typed until the page goes, which asks before it does.
    }
    for (const listener of this.#listeners) listener();
  }
}

const PLACE = 'marktrail-typed-';

/** Before a log-out: the question whether what anybody has typed in this tab may go; undefined: nothing is. */
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

/** Of the fields that are typed over. */
const only = (texts: Readonly<Record<string, string>>, typed: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([studentId]) => Object.hasOwn(typed, studentId)));

const defined = (texts: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter((pair): pair is [string, string] => pair[1] !== undefined));
