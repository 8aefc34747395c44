/** Similarity of topic names, for the suggestions of the allocation screens. */
import { stemmer } from 'stemmer';

export type Match<Candidate> = {
  readonly candidate: Candidate;
  /** 1 to 100 */
  readonly percent: number;
};

/**
 * Dice coefficient over the sets of Porter stems of the two names without stop words, in whole percent:
 * 'Adding fractions' and 'Addition of a fraction' have the stems add, fraction: 100.
 */
export const matchPercent = (one: string, other: string): number => dice(stemsOf(one), stemsOf(other));

/** Every candidate that shares a stem with the name, best match first; equal matches keep their order. */
export const bestMatches = <Candidate>(
  name: string,
  candidates: readonly Candidate[],
  nameOf: (candidate: Candidate) => string,
): readonly Match<Candidate>[] => {
  const stems = stemsOf(name);
  return candidates
    .map((candidate) => ({ candidate, percent: dice(stems, stemsOf(nameOf(candidate))) }))
    .filter(({ percent }) => percent > 0)
    .sort((a, b) => b.percent - a.percent);
};

const dice = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const stem of one) if (other.has(stem)) common += 1;
  return Math.round((200 * common) / (one.size + other.size));
};

const stemsOf = (name: string): ReadonlySet<string> => {
  const words =
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)).map((word) => stemmer(word)));
};

/** Words that say nothing about a topic. */
const stopWords = new Set(
  'a an and are as at be between by for from how in into is it its of on or s that the their these this to up using use used what when where which with within'.split(
    ' ',
  ),
);
