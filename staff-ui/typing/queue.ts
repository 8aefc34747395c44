import type { EnterMarks } from '#api/marks/marks.contract';
import { browserKeep, inTurn } from '../../ui/drafts/browser-keep.ts';
import type { Draft, Kept } from '../../ui/drafts/drafts.ts';
import { DraftStore } from '../../ui/drafts/store.ts';

/** A class and a test of a subject. */
export type Form = { readonly subjectId: string; readonly setId: string; readonly testId: string };

/** What is sent of a form, besides its idempotency key: the same each time, even after a reload. */
export type Save = Pick<EnterMarks, 'entryId' | 'subjectId' | 'seq' | 'cells'> & { readonly typedAt: string };

export type Typed = DraftStore<string, string, Save>;
export type KeptMarks = Kept<string, string, Save>;

/** Marks that one user has typed and the server has not stored yet, as text by cell: ids and marks, no names. */
export const openTyped = (accountId: string): Typed => new DraftStore(browserKeep<string, string, Save>(accountId), { sawOf, inTurn });

/** 018 is shown as 18 once it is stored. */
const sawOf = (text: string): string => (text.trim() === '' ? '' : String(Number(text)));

/** The key of a total among the drafts. */
export const totalKey = ({ subjectId, setId, testId }: Form, studentId: string): string =>
  ['total', subjectId, setId, testId, studentId].join(' ');

/** The form that a key belongs to, and the student; undefined: it is of another kind. */
export const totalIn = (key: string): { readonly form: Form; readonly studentId: string } | undefined => {
  const [kind, subjectId, setId, testId, studentId] = key.split(' ');
  if (kind !== 'total' || !subjectId || !setId || !testId || !studentId) return undefined;
  return { form: { subjectId, setId, testId }, studentId };
};

export const sameForm = (one: Form, other: Form): boolean =>
  one.subjectId === other.subjectId && one.setId === other.setId && one.testId === other.testId;

/** The drafts of a form, by student. */
export const draftsOf = (
  drafts: Readonly<Record<string, Draft<string, string>>>,
  form: Form,
): Readonly<Record<string, Draft<string, string>>> =>
  Object.fromEntries(
    Object.entries(drafts).flatMap(([key, draft]) => {
      const total = totalIn(key);
      return total && sameForm(total.form, form) ? [[total.studentId, draft] as const] : [];
    }),
  );

/** Whether a save of the form is on its way. */
export const isSaving = ({ batches }: KeptMarks, form: Form): boolean =>
  Object.values(batches).some(
    ({ uncertain, values }) =>
      !uncertain &&
      Object.keys(values).some((key) => {
        const total = totalIn(key);
        return total !== undefined && sameForm(total.form, form);
      }),
  );

/** The forms with totals that nobody has submitted, and their number. */
export const unsubmitted = (kept: KeptMarks): readonly { readonly form: Form; readonly keys: readonly string[] }[] => {
  const forms = new Map<string, { readonly form: Form; readonly keys: string[] }>();
  for (const key of Object.keys(kept.drafts)) {
    const total = totalIn(key);
    if (!total) continue;
    const at = totalKey(total.form, '');
    forms.set(at, { form: total.form, keys: [...(forms.get(at)?.keys ?? []), key] });
  }
  return [...forms.values()].filter(({ form }) => !isSaving(kept, form));
};
