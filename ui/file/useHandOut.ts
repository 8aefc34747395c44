import { useCallback } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { Foreseen, sentence } from '../api/failure.ts';
import type { Commands } from '../api/questions.ts';
import { saveFile } from './save-file.ts';

/** What a file holds and of which things, for the record. */
export type HandOut = Commands['RecordHandOut']['input'];

/** It could not be recorded that it is handed out: so it is not. */
export class NotRecorded extends Foreseen {
  constructor(cause: unknown) {
    super(`Nothing was downloaded, because it could not be recorded. ${sentence(cause)}`, { cause });
    this.name = 'NotRecorded';
  }
}

/**
 * Offers a file with other people's data as a download, once the record says that it is handed out. Templates, lists of errors and what is
 * the user's own go by `saveFile`.
 *
 * The returned function rejects with a sentence for the user if it could not be recorded.
 */
export const useHandOut = () => {
  const api = useApi();
  return useCallback(
    async (handOut: HandOut, ...file: Parameters<typeof saveFile>): Promise<void> => {
      await api.command('RecordHandOut', handOut).catch((error: unknown) => {
        throw new NotRecorded(error);
      });
      saveFile(...file);
    },
    [api],
  );
};
