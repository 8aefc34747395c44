import type { ReactNode } from 'react';
import { createContext, use } from 'react';
import { createPortal } from 'react-dom';

/** The element in the header that receives the page's pickers. */
export const HeaderPlace = createContext<HTMLElement | null>(null);

/** Renders a page's pickers in the middle of the header; on narrow windows in a line below it. */
export const InHeader = ({ children }: { readonly children: ReactNode }) => {
  const place = use(HeaderPlace);
  return place && createPortal(children, place);
};
