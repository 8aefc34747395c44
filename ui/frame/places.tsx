import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { createContext, use } from 'react';

/** How an app moves among its own pages, whichever router it has. Every other address is loaded anew: it is another app's. */
export type Places = {
  /** Where one is: an address without its query. */
  readonly path: string;
  /** Whether an address is a page of this app. */
  readonly isHere: (path: string) => boolean;
  readonly go: (to: string) => void;
};

const PlacesContext = createContext<Places | undefined>(undefined);

export const PlacesProvider = ({ places, children }: { readonly places: Places; readonly children: ReactNode }) => (
  <PlacesContext value={places}>{children}</PlacesContext>
);

/** Where one is, and how to go elsewhere. Without a provider every way leads through a new page. */
export const usePlaces = (): Places => use(PlacesContext) ?? anew;

const anew: Places = {
  get path() {
    return location.pathname;
  },
  isHere: () => false,
  go: (to) => location.assign(to),
};

/** Goes to any page of the product. */
export const useGo = () => {
  const { isHere, go } = usePlaces();
  return (to: string) => (isHere(pathOf(to)) ? go(to) : location.assign(to));
};

type AppLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string };

/** A plain link that stays inside the app where it can. */
export const AppLink = ({ to, onClick, children, ...rest }: AppLinkProps) => {
  const { isHere, go } = usePlaces();
  return (
    <a
      href={to}
      onClick={(event) => {
        onClick?.(event);
        const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
        if (event.defaultPrevented || elsewhere || !isHere(pathOf(to))) return;
        event.preventDefault();
        go(to);
      }}
      {...rest}
    >
      {children}
    </a>
  );
};

const pathOf = (to: string): string => to.replace(/[?#].*$/u, '');
