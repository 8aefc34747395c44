/**
 * The new list of ids after a user chose among those that exist. Deleted ids, which the user could not see, stay at the end of the list and
 * count again when they are restored.
 *
 * `unknown`: index of the first id that never existed, or -1. `list`: the complete new list without repeats; undefined if it does not
 * change.
 */
export const resolveChoice = (
  chosen: readonly string[],
  now: readonly string[],
  isThere: (id: string) => boolean,
): { readonly unknown: number; readonly list: string[] | undefined } => {
  const visible = [...new Set(chosen)].filter(isThere);
  return {
    unknown: chosen.findIndex((id) => !isThere(id) && !now.includes(id)),
    list: sameList(visible, now.filter(isThere)) ? undefined : [...visible, ...now.filter((id) => !isThere(id))],
  };
};

/** The list with the id added or removed; undefined: nothing changes. */
const linkedList = (now: readonly string[], one: string, linked: boolean): string[] | undefined => {
  if (now.includes(one) === linked) return undefined;
  return linked ? [...now, one] : now.filter((other) => other !== one);
};

/** By `of`: the lists that change when these links are made or removed. `now`: the present list. */
export const linkedLists = (
  links: readonly (readonly [of: string, one: string])[],
  now: (of: string) => readonly string[],
  linked: boolean,
): ReadonlyMap<string, readonly string[]> => {
  const lists = new Map<string, readonly string[]>();
  for (const [of, one] of links) {
    const list = linkedList(lists.get(of) ?? now(of), one, linked);
    if (list) lists.set(of, list);
  }
  return lists;
};

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
