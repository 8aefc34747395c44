import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { question, useApi } from './ApiProvider.tsx';
import type { Questions } from './questions.ts';

/** Asks the server now, whatever the page holds: for what is taken away from it, such as a file. `asOf`: an earlier moment. */
export const useFresh = (asOf?: string) => {
  const api = useApi();
  const client = useQueryClient();
  return useCallback(
    <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask']) =>
      client.fetchQuery({ ...question(api, name, ask, asOf), ...(asOf === undefined && { staleTime: 0 }) }),
    [api, client, asOf],
  );
};
