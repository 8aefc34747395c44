import type { SetState, Subject } from '../../../events/school/subject.ts';
import { sameName } from '../../contract/names.ts';

export const NO_SET = 'There is no such set.';

/** Names of sets are unique in the subject, regardless of spelling: 11x1 is 11X1. */
export const nameTaken = ({ sets }: Subject, name: string, but?: string): boolean =>
  [...sets].some(([setId, set]) => setId !== but && sameName(set.name, name));

/** Why a deleted set cannot be restored, as a sentence; undefined if it can. */
export const whyNotBack = (
  { name, schemeId }: SetState,
  state: Subject,
  { schemeIds }: { readonly schemeIds: readonly string[] },
): string | undefined => {
  if (nameTaken(state, name)) return `There is another set called ${name} now: rename that one first.`;
  if (!schemeIds.includes(schemeId)) return `The scheme of work that ${name} followed was deleted too: bring that back first.`;
  return undefined;
};
