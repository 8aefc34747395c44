/** Rules and words of revision lists, for both sides, without schemas. */
import { sameName } from '../contract/names.ts';

/** of a subject */
export const MAX_HEADERS = 500;
export const HEADER_REQUIRED = 'Required';

/** Whether one of the others has the same name, which is allowed. */
export const isDouble = (name: string, others: readonly { readonly name: string }[]): boolean =>
  others.some((other) => sameName(other.name, name));

type Question = { readonly questionId: string; readonly number: number };
export type MarkFor = { readonly mark: number | null; readonly max: number };

/**
 * The list of one student: only what they lost marks on, the greatest share of the marks first, then the most marks, then by number. A header
 * stands where its worst question does.
 *
 * @param marks by question; null or none: no mark is known, so none is known to be lost
 */
export const personalList = <One extends Question, Header>(
  headers: readonly (Header & { readonly questions: readonly One[] })[],
  marks: ReadonlyMap<string, MarkFor>,
): readonly (Header & { readonly questions: readonly One[] })[] => {
  const lost = ({ questionId }: One): Lost => {
    const { mark, max } = marks.get(questionId) ?? { mark: null, max: 0 };
    return { lost: mark === null ? 0 : max - mark, of: max };
  };
  const worstFirst = (a: One, b: One): number => compared(lost(a), lost(b)) || a.number - b.number;
  return headers
    .map((header) => ({ ...header, questions: header.questions.filter((one) => lost(one).lost > 0).toSorted(worstFirst) }))
    .filter(({ questions }) => questions.length > 0)
    .toSorted((a, b) => (a.questions[0] && b.questions[0] ? worstFirst(a.questions[0], b.questions[0]) : 0));
};

type Lost = { readonly lost: number; readonly of: number };
/** As fractions of whole numbers, which are exact. */
const compared = (a: Lost, b: Lost): number => b.lost * a.of - a.lost * b.of || b.lost - a.lost;
