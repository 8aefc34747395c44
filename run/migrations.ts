/**
 * Brings the database at `url` (connection string of the owner) to the newest shape. Repeatable, and safe when two
 * processes do it at once: each step takes its own lock. The projection engine makes its tables itself.
 */
export async function migrate(url: string): Promise<void> {
  for (const step of steps) await step(url);
}

/** In order: the log first, then keys, then identities. */
const steps: ((url: string) => Promise<void>)[] = [];
