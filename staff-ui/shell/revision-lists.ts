import { createContext, use } from 'react';

/** `testId`: chosen at first; without one, the dialog asks. */
export type RevisionListsRequest = { readonly testId?: string };

export const RevisionListsContext = createContext<((request: RevisionListsRequest) => void) | undefined>(undefined);

/** Opens the Revision Lists dialog from any page. */
export const useRevisionLists = () => {
  const open = use(RevisionListsContext);
  if (!open) throw new Error('There is no RevisionLists above this component.');
  return open;
};
