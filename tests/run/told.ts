import { vi } from 'vitest';
import { commands } from '../../run/commands.ts';
import type { readSettings } from '../../run/settings.ts';
import { StartError } from '../../run/start-error.ts';

/** Runs a command here: what it says on both outputs; `refused`: the one line with which it ends otherwise than well, exit code 1. */
export const told = async (
  { settings, url }: { readonly settings: ReturnType<typeof readSettings>; readonly url: string },
  command: string,
  args: readonly string[],
): Promise<{ said: string; refused?: string }> => {
  const said: string[] = [];
  const listening = (['log', 'error'] as const).map((to) =>
    vi.spyOn(console, to).mockImplementation((line) => void said.push(String(line))),
  );
  try {
    await (await commands[command]!()).run({ args, settings, database: async () => url, stopping: new AbortController().signal });
    return { said: said.join('\n') };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { said: said.join('\n'), refused: error.message };
  } finally {
    for (const one of listening) one.mockRestore();
  }
};
