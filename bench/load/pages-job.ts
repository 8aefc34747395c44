/** What the process with open pages does: opens so many, each person's in turns with these paths; waits until all hold what was saved up to a position; closes all. */
export type PagesJob =
  | { readonly open: number; readonly url: string; readonly paths: readonly string[]; readonly cookies: readonly string[] }
  | { readonly until: string }
  | { readonly close: true };

/** `at`: when each page was told last, in ms since 1970; `bytes` on the wire, and questions, of all pages since the last answer. */
export type PagesAnswer = { readonly at: readonly number[]; readonly bytes: number; readonly asked: number };
