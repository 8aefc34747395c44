import { OPENING_BLOCK } from '#api/contract/openings';
import type { QueryClient } from '@tanstack/react-query';
import { hashKey } from '@tanstack/react-query';
import type { Api, Brought } from './client.ts';

/**
 * Takes in what the page has brought (api/http/routes/pages.ts): the answers to what it asks first, and the id of the live connection over
 * which the server will send how they change. It is there once; the page then asks for everything else, and for these when they change.
 */
export const takeOpening = (api: Api, client: QueryClient): void => {
  const block = document.querySelector(`#${OPENING_BLOCK}`);
  if (!block) return;
  block.remove();
  const { line, answers } = JSON.parse(block.textContent) as { readonly line: string; readonly answers: readonly Brought[] };
  api.joinConnection(line);
  for (const { name, ask, headers, body } of answers) {
    const queryKey = [name, ask, undefined] as const;
    api.brought(hashKey(queryKey), { name, ask, headers, body });
    client.setQueryData(queryKey, body);
  }
};
