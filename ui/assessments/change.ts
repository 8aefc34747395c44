/** What one item should be bound to, and what it was bound to when editing began. */
export type Change = { readonly id: string; readonly to: readonly string[]; readonly was: readonly string[] };

export const sameIds = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id) => b.includes(id));

/** Ticks or unticks one candidate. Undefined: back to what is stored. */
export const toggled = ({ id, to, was }: Change, candidate: string): Change | undefined => {
  const next = to.includes(candidate) ? to.filter((one) => one !== candidate) : [...to, candidate];
  return sameIds(next, was) ? undefined : { id, to: next, was };
};

/** Applies the local ticks and unticks to what somebody else has stored meanwhile. Undefined: nothing left to change. */
export const rebased = ({ id, to, was }: Change, now: readonly string[]): Change | undefined => {
  const added = to.filter((one) => !was.includes(one) && !now.includes(one));
  const next = [...now.filter((one) => to.includes(one) || !was.includes(one)), ...added];
  return sameIds(next, now) ? undefined : { id, to: next, was: now };
};
