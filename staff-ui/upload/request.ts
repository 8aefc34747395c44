import { createContext, use } from 'react';

/** `testId`, `setId`: what the dialog is opened for, chosen beforehand in it. */
export type UploadRequest = {
  readonly kind: 'totals' | 'results';
  readonly testId?: string;
  readonly setId?: string;
  /** Typed instead of by file. */
  readonly by?: 'hand';
};

export const UploadContext = createContext<{ readonly open: (request: UploadRequest) => void; readonly mayUpload: boolean } | undefined>(
  undefined,
);

/** Opens an upload dialog from any page. */
export const useUploadDialogs = () => {
  const value = use(UploadContext);
  if (!value) throw new Error('There is no UploadDialogs above this component.');
  return value;
};
