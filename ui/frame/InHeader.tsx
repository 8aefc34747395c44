import type { ReactNode } from 'react';
import { createContext, use } from 'react';
import { createPortal } from 'react-dom';

/** Where the header keeps room for what the page chooses from. */
export const HeaderPlace = createContext<HTMLElement | null>(null);

/** A page's pickers, shown in the middle of the header; on narrow windows in a line of their own below it. */
export const InHeader = ({ children }: { readonly children: ReactNode }) => {
  const place = use(HeaderPlace);
  return place && createPortal(children, place);
};
