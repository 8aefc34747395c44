import { useSend } from '../sending/useSend.ts';
import type { Failed } from './UploadFailure.tsx';

/** Reads a file and asks the server about it: whether that is going on, and why it failed. */
export const useReading = () => {
  const { send, pending, error, forget } = useSend({ act: (read: () => Promise<void>) => read(), showsError: true });
  return {
    busy: pending,
    failed: error === undefined ? undefined : ({ of: 'server', error } satisfies Failed),
    forget,
    during: (read: () => Promise<void>) => {
      forget();
      return send(read);
    },
  };
};
