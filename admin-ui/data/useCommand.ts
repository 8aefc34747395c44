import { useCallback } from 'react';
import { useRefresh } from 'react-admin';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import type { Commands } from '../../ui/api/questions.ts';
import { uuid } from '../../ui/api/uuid.ts';

/**
 * Runs a command that is not a write of a single record, and refetches every list and form. Throws what the client throws: `Refused` has
 * a sentence for the user.
 */
export const useCommand = () => {
  const api = useApi();
  const refresh = useRefresh();
  return useCallback(
    async <Name extends keyof Commands>(name: Name, input: Commands[Name]['input']): Promise<Commands[Name]['result']> => {
      const { result } = await api.command(name, input, { key: uuid() });
      refresh();
      return result;
    },
    [api, refresh],
  );
};
