import type { PriorScores } from '#api/prior/prior.contract';
import { pointed, wrongPriorScore } from '#api/prior/prior-score.contract';

export type Student = PriorScores['students'][number];
/** What was typed for a student, and the score that stood there then. */
export type Typed = { readonly text: string; readonly saw: string | null };
export type TypedScores = Readonly<Record<string, Typed>>;

export const nameOf = ({ name }: Student): string => name ?? 'A forgotten student';
export const storedOf = ({ now }: Student): string | null => now?.score ?? null;

/** After typing: text that is stored already, or no text, is nothing to submit. */
export const typedInto = (typed: TypedScores, student: Student, text: string): TypedScores => {
  const { [student.studentId]: before, ...others } = typed;
  const saw = before ? before.saw : storedOf(student);
  return text.trim() === (storedOf(student) ?? '') ? others : { ...others, [student.studentId]: { text, saw } };
};

/** Only non-empty scores are submitted: an upload is taken back by Undo. */
export const toSubmit = (typed: TypedScores): readonly (readonly [studentId: string, typed: Typed])[] =>
  Object.entries(typed).filter(([, { text }]) => text.trim() !== '');

export const errorOf = (typed: Typed | undefined): string | undefined => {
  const text = typed?.text.trim() ?? '';
  const wrong = text === '' ? undefined : wrongPriorScore(text);
  return wrong && [wrong, ...pointed(text)].join('. ');
};

/** Whether somebody else has stored another score since typing began. */
export const isScoreOvertaken = (student: Student, typed: Typed | undefined): boolean =>
  typed !== undefined && typed.saw !== storedOf(student);

export type Filter = { readonly setId: string; readonly missing: boolean };
/** A student whose score is being typed stays, whatever the filter says by then. */
export const filtered = (students: readonly Student[], typed: TypedScores, { setId, missing }: Filter): readonly Student[] =>
  students.filter(
    (student) => (setId === '' || student.setId === setId) && (!missing || student.now === null || typed[student.studentId] !== undefined),
  );
