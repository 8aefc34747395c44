import type { ReactNode } from 'react';
import { createContext, use, useState } from 'react';
import { createPortal } from 'react-dom';

const Place = createContext<HTMLElement | null>(null);
const SetPlace = createContext<(place: HTMLElement | null) => void>(() => undefined);

/** A frame with a place for the page's pickers. Once that is there they alone are drawn. */
export const HeaderPlace = ({ children }: { readonly children: ReactNode }) => {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <SetPlace value={setPlace}>
      <Place value={place}>{children}</Place>
    </SetPlace>
  );
};

/** The element that receives the page's pickers. */
export const Pickers = ({ className }: { readonly className: string | undefined }) => <div ref={use(SetPlace)} className={className} />;

/** Renders a page's pickers in the middle of the header; on narrow windows in a line below it. */
export const InHeader = ({ children }: { readonly children: ReactNode }) => {
  const place = use(Place);
  return place && createPortal(children, place);
};
