import type { SheetKey, MarkDraftState, MarksInput } from '../../ui/marks/mark-drafts.ts';
import { totalKey } from '../../ui/marks/mark-drafts.ts';

/**
 * Marks that the version before this one kept in the tab's session storage, by class and test. Honoured for one version: whoever reloads
 * the page after an upgrade finds what they typed before it.
 */
export const takeOldQueue = (storage: Pick<Storage, 'getItem' | 'removeItem'>, accountId: string): MarkDraftState | undefined => {
  const place = `marktrail-typed-${accountId}`;
  const text = storage.getItem(place);
  if (text === null) return undefined;
  storage.removeItem(place);
  try {
    const forms = Object.values(JSON.parse(text) as Readonly<Record<string, OldForm>>);
    return {
      drafts: Object.fromEntries(forms.flatMap(draftsIn)),
      batches: Object.fromEntries(forms.flatMap(batchIn)),
    };
  } catch {
    return undefined;
  }
};

type OldForm = {
  readonly form: SheetKey;
  readonly typed: Readonly<Record<string, string>>;
  readonly saw: Readonly<Record<string, string>>;
  readonly save?: MarksInput & { readonly key: string };
};

const draftsIn = ({ form, typed, saw }: OldForm) =>
  Object.entries(typed).map(([studentId, value]) => [totalKey(form, studentId), { value, saw: saw[studentId] ?? '' }] as const);

const batchIn = ({ form, typed, save }: OldForm) => {
  if (!save) return [];
  const { key: id, ...input } = save;
  const values = input.cells.map(({ studentId, is }) => {
    const text = is === 'cleared' ? '' : String(is);
    const now = typed[studentId]?.trim();
    // Kept as it was typed, or it would count as typed over since.
    const isSame = now !== undefined && (text === '' ? now === '' : now !== '' && Number(now) === is);
    return [totalKey(form, studentId), isSame ? (typed[studentId] ?? text) : text] as const;
  });
  return [[id, { id, values: Object.fromEntries(values), input }] as const];
};
