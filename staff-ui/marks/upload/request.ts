import { createContext, use } from 'react';

/** `testId`, `setId`: chosen in the dialog at first. */
export type UploadRequest = {
  readonly kind: 'totals' | 'results';
  readonly testId?: string;
  readonly setId?: string;
  /** Opens at manual entry instead of file upload. Totals of a class always do. */
  readonly by?: 'hand';
};

export type UploadDialogProps = { readonly request: UploadRequest; readonly open: boolean; readonly onClose: () => void };

/** Whether it opens at the sheet of a class. */
export const isForTyping = ({ setId, kind, by }: UploadRequest): boolean => setId !== undefined && (kind === 'totals' || by === 'hand');

export const UploadContext = createContext<{ readonly open: (request: UploadRequest) => void; readonly mayUpload: boolean } | undefined>(
  undefined,
);

/** Opens an upload dialog from any page. */
export const useUploadDialogs = () => {
  const value = use(UploadContext);
  if (!value) throw new Error('There is no UploadDialogs above this component.');
  return value;
};
