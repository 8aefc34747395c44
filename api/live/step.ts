import type { CachedAnswer } from '../pipeline/cached-answer.ts';
import type { Wanted } from '../pipeline/query-bus.ts';
import type { Delta } from '../contract/delta.ts';
import { deltaOf } from '../contract/delta.ts';
import type { LiveAnswer } from '../contract/live.ts';

/**
 * From one version of an answer, or of a part of it, to the next. `change`: undefined: nothing has changed; 'large': asking again is cheaper,
 * because answers are compressed, and the same for all.
 */
export type Step = { readonly before: CachedAnswer; readonly after: CachedAnswer; readonly change: Delta | 'large' | undefined };

/** Undefined: the part is no longer there. */
export const stepOf = ({ question, wanted }: Wanted, wholeBefore: CachedAnswer, whole: CachedAnswer): Step | undefined => {
  const { part } = question.declared.shared;
  try {
    const [before, after] = [wholeBefore, whole].map((one) => one.at(part?.places(one.facts, wanted)));
    return before && after && { before, after, change: smallChange(before, after) };
  } catch {
    return undefined;
  }
};

/** What to tell a page that holds `from` and has these fields of its own; without a tag: to ask again. */
export const changeOf = (
  { before, change }: Step,
  { from, tag, own: ownFields }: { readonly from: string; readonly tag: string; readonly own: object },
): Pick<LiveAnswer, 'from' | 'tag' | 'change' | 'own'> => {
  if (from === tag) return { from, tag };
  if (!before.isIn(from) || change === 'large') return {};
  const isOwn = from.split('.')[1] !== tag.split('.')[1];
  return { from, tag, ...(change && { change }), ...(isOwn && { own: { ...ownFields } }) };
};

const smallChange = (before: CachedAnswer, after: CachedAnswer): Step['change'] => {
  if (before.tag === after.tag) return undefined;
  const delta = deltaOf(before.valueAfter(), after.valueAfter(before));
  return delta && JSON.stringify(delta).length > LARGEST_CHANGE ? 'large' : delta;
};

const LARGEST_CHANGE = 12_000;
