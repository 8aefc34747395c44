import { useState } from 'react';
import type { Failed } from '../../ui/file/UploadFailure.tsx';

/** Runs an asynchronous action: whether it is running, and why it failed. */
export const useAct = () => {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failed>();

  const during = async (act: () => Promise<void>) => {
    setBusy(true);
    setFailed(undefined);
    try {
      await act();
    } catch (error) {
      setFailed({ of: 'server', error });
    } finally {
      setBusy(false);
    }
  };

  return { busy, failed, setFailed, during };
};
