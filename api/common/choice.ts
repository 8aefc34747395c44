/**
 * The new list of ids after a user chose among those that exist. Deleted ids, which the user could not see, stay at the end of the list and
 * count again when they are restored.
 *
 * `unknown`: index of the first id that never existed, or -1. `list`: the complete new list without repeats; undefined if it does not
 * change.
 */
export const resolveChoice = (
  asked: readonly string[],
  now: readonly string[],
  isThere: (id: string) => boolean,
): { readonly unknown: number; readonly list: string[] | undefined } => {
  const visible = [...new Set(asked)].filter(isThere);
  return {
    unknown: asked.findIndex((id) => !isThere(id) && !now.includes(id)),
    list: sameList(visible, now.filter(isThere)) ? undefined : [...visible, ...now.filter((id) => !isThere(id))],
  };
};

/** The list with one id more or less; undefined: it is so already. */
export const linkedList = (now: readonly string[], one: string, linked: boolean): string[] | undefined => {
  if (now.includes(one) === linked) return undefined;
  return linked ? [...now, one] : now.filter((other) => other !== one);
};

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
