import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { createContext, use } from 'react';
import { leaving, wouldLose } from '../session/unsaved.ts';

/** Navigation within an app, independent of its router. Any other address belongs to another app and is loaded as a new document. */
export type Navigation = {
  /** The current path, without query. */
  readonly path: string;
  /** Whether this app has a page at the path. */
  readonly isHere: (path: string) => boolean;
  readonly go: (to: string) => void;
};

const NavigationContext = createContext<Navigation | undefined>(undefined);

export const NavigationProvider = ({ navigation, children }: { readonly navigation: Navigation; readonly children: ReactNode }) => (
  <NavigationContext value={navigation}>{children}</NavigationContext>
);

/** The current path and navigation. Without a provider every navigation loads a new document. */
export const useNavigation = (): Navigation => use(NavigationContext) ?? anew;

const anew: Navigation = {
  get path() {
    return location.pathname;
  },
  isHere: () => false,
  go: (to) => location.assign(to),
};

/** Navigates to any page of the product. */
export const useGo = () => {
  const { isHere, go } = useNavigation();
  return (to: string) => (isHere(pathOf(to)) ? go(to) : leaving('app', () => location.assign(to)));
};

type AppLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string };

/** A plain link that navigates within the app where it can. */
export const AppLink = ({ to, onClick, children, ...rest }: AppLinkProps) => {
  const { isHere, go } = useNavigation();
  return (
    <a
      href={to}
      onClick={(event) => {
        onClick?.(event);
        const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
        if (event.defaultPrevented || elsewhere) return;
        if (isHere(pathOf(to))) {
          event.preventDefault();
          go(to);
        } else if (wouldLose('app')) {
          event.preventDefault();
          leaving('app', () => location.assign(to));
        }
      }}
      {...rest}
    >
      {children}
    </a>
  );
};

const pathOf = (to: string): string => to.replace(/[?#].*$/u, '');
