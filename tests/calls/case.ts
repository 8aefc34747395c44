import type { Client } from '../support/client.ts';
import type { Asked, Row } from '../matrix/row.ts';
import type { ActorName, World } from '../matrix/world.ts';

/**
 * A documented call: its row of the matrix (who may, and a legal request), and its right answer, compared with what the world holds. The
 * name is that of the call; a generic write has a case for each of its tables, `POST /admin subject`.
 */
export type Case = Row & {
  /** What has to be there, made by commands. */
  readonly given?: (world: World) => Promise<unknown>;
  /** Who asks for the right answer; left out: the first of those who may. */
  readonly as?: ActorName;
  /** Compares the answer, and, after a write, what has changed. An empty answer is wrong already. */
  readonly right: (seen: Seen) => Promise<void> | void;
};
export type Seen = { readonly world: World; readonly client: Client; readonly asked: Asked; readonly body: never };
export type Cases = Readonly<Record<string, Case>>;

/** What another call answers, once the read models are as new as the last write. */
export const asks = async <Body>(client: Client, path: string, query: Readonly<Record<string, string>> = {}): Promise<Body> => {
  const answer = await client.send(`/api${path}?${new URLSearchParams(query)}`);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
};
