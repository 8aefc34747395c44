import { useCallback } from 'react';
import { useRefresh } from 'react-admin';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import type { Commands } from '../../ui/api/questions.ts';
import { uuid } from '../../ui/api/uuid.ts';

/**
 * What is no writing of a record: runs a command as one act of the user, and has every list and form look again. Throws what the client
 * throws: `Refused` says why in a sentence.
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
