import type { APIRequestContext } from 'playwright-core';
import { expect } from 'vitest';

/** What is asked of the server by somebody who needs no page for it. `position`: the answer knows all that was stored up to it. */
export const ask = async <Answer>(caller: APIRequestContext, path: string, position: string | null = null): Promise<Answer> => {
  const answer = await caller.get(`/api/queries/${path}`, { headers: position === null ? {} : { 'X-Min-Position': position } });
  expect([path, answer.status(), await answer.text()]).toEqual([path, 200, expect.anything()]);
  return (await answer.json()) as Answer;
};

/** What is done by somebody who needs no page for it. Resolves to its result, and to its position in the log; null: it changed nothing. */
export const act = async (caller: APIRequestContext, name: string, data: object): Promise<Acted> => {
  const answer = await caller.post(`/api/commands/${name}`, { data });
  expect([name, answer.status(), await answer.text()]).toEqual([name, 200, expect.anything()]);
  return (await answer.json()) as Acted;
};

export type Acted = { readonly result: Readonly<Record<string, string>>; readonly position: string | null };

/** Marks and totals that are entered by a call, as if nothing were seen there before. */
export const enter = (caller: APIRequestContext, subjectId: string, cells: readonly object[]): Promise<Acted> =>
  act(caller, 'EnterMarks', { entryId: crypto.randomUUID(), subjectId, seq: 1, cells });
