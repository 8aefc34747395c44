import { useCallback } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import type { Toast } from '../../ui/feedback/Toasts.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';

/** The Undo action of a toast; if it fails, another toast says why. */
export const useUndo = () => {
  const toast = useToast();
  return useCallback(
    (back: () => Promise<unknown>): Pick<Required<Toast>, 'action'> => ({
      action: { label: 'Undo', run: () => void back().catch((error: unknown) => toast({ tone: 'bad', text: sentence(error) })) },
    }),
    [toast],
  );
};
