import type { CsvRefusal } from '#api/contract/csv/file';
import { useState } from 'react';
import { useSend } from '../../../../ui/sending/useSend.ts';
import type { Failed } from '../../../../ui/file/UploadFailure.tsx';

/** Reads a file and asks the server about it: whether that is going on, and why it failed. */
export const useReading = () => {
  const [refused, setRefused] = useState<CsvRefusal>();
  const { send, pending, error, forget } = useSend({ act: (read: () => Promise<void>) => read(), showsError: true });
  const forgetAll = () => {
    setRefused(undefined);
    forget();
  };
  return {
    busy: pending,
    failed: refused
      ? ({ of: 'file', refused } satisfies Failed)
      : error === undefined
        ? undefined
        : ({ of: 'server', error } satisfies Failed),
    forget: forgetAll,
    /** The file itself cannot be used. */
    refuse: setRefused,
    during: (read: () => Promise<void>) => {
      forgetAll();
      return send(read);
    },
  };
};
