import type { PriorScores } from '#api/prior/prior.contract';
import type { Draft } from '../../../ui/drafts/drafts.ts';
import { pointed, wrongPriorScore } from '#api/prior/prior-score.contract';

export type Student = PriorScores['students'][number];
/** What was typed for a student, and the score that stood there then. */
type ScoreDraft = Draft<string, string | null>;
export type ScoreDrafts = Readonly<Record<string, ScoreDraft>>;

export const nameOf = ({ name }: Student): string => name ?? 'A forgotten student';
export const storedOf = ({ now }: Student): string | null => now?.score ?? null;

/** Only non-empty scores are submitted: an upload is taken back by Undo. */
export const toSubmit = (drafts: ScoreDrafts): readonly (readonly [studentId: string, draft: ScoreDraft])[] =>
  Object.entries(drafts).filter(([, draft]) => draft.value.trim() !== '' && !isStored(draft));

/** Nothing of it is left to be stored. */
export const isStored = ({ value, saw }: ScoreDraft): boolean => value.trim() === saw;

export const errorOf = (draft: ScoreDraft | undefined): string | undefined => {
  const text = draft?.value.trim() ?? '';
  return text === '' ? undefined : wrongPriorScore(text);
};
/** How what is wrong is to be written. */
export const hintOf = (draft: ScoreDraft | undefined): string | undefined => pointed(draft?.value.trim() ?? '')[0];

export type Filter = { readonly setId: string; readonly missing: boolean };
/** A student whose score is being typed stays, whatever the filter says by then. */
export const filtered = (students: readonly Student[], drafts: ScoreDrafts, { setId, missing }: Filter): readonly Student[] =>
  students.filter(
    (student) => (setId === '' || student.setId === setId) && (!missing || student.now === null || drafts[student.studentId] !== undefined),
  );
