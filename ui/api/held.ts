/** An answer that the page holds, and the version that the server gave it. */
type Held = { readonly as: string; readonly tag: string; readonly data: unknown };

/** The answers with a version, by path: asked again, the server says only that nothing has changed. */
export const createHeld = () => {
  const answers = new Map<string, Held>();
  return {
    at: (path: string): Held | undefined => answers.get(path),
    headers: (path: string): Record<string, string> => {
      const tag = answers.get(path)?.tag;
      return tag === undefined ? {} : { 'If-None-Match': tag };
    },
    hold: (path: string, held: Held): void => void answers.set(path, held),
    /** `name`: of queries that have left the page. */
    left: (name: string): void => {
      for (const [path, { as }] of answers) if (as === name) answers.delete(path);
    },
    forget: (): void => answers.clear(),
  };
};
