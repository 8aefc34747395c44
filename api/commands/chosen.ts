/**
 * A list as somebody chose it among what is there. What is deleted he could not see: it stays in the list, behind the others, and counts again
 * when it is restored.
 *
 * `unknown`: the first that was never there, -1: none. `list`: the whole list as it is to be, each once; undefined: it stays as it is.
 */
export const chosen = (
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

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
