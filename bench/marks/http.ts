/** Requests of the chapter `marks`. */
import { randomUUID } from 'node:crypto';

export type Asker = ReturnType<typeof asker>;

/** Somebody who is signed in. A request that is refused ends the benchmark. */
export const asker = (url: string, cookie: string) => ({
  cookie,
  query: async <Answer>(path: string, at?: string): Promise<Answer> => {
    const headers = { cookie, ...(at === undefined ? {} : { 'X-Min-Position': at }) };
    return read(await fetch(`${url}/api/queries/${path}`, { headers }));
  },
  /** Answers the position of what it changed. */
  command: async (name: string, input: unknown): Promise<string> => {
    const { position } = await read<{ position: string | null }>(
      await fetch(`${url}/api/commands/${name}`, {
        method: 'POST',
        headers: { cookie, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
        body: JSON.stringify(input),
      }),
    );
    if (position === null) throw new Error(`${name} has changed nothing.`);
    return position;
  },
});

const read = async <Answer>(answer: Response): Promise<Answer> => {
  if (!answer.ok) throw new Error(`${answer.url} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
};
