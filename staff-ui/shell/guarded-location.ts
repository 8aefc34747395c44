import type { BrowserLocationHook } from 'wouter/use-browser-location';
import { navigate, useBrowserLocation } from 'wouter/use-browser-location';
import { pageAt } from '../../ui/pages.ts';
import { leaving, wouldLose } from '../../ui/session/unsaved.ts';

/** Links, the menu and the browser's own Back lead to another page of this app only past the guard for unsaved input. */
export const useGuardedLocation: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], guarded];

/** Another query string (a class, a sort, a moment) stays on the same page, which asks itself where it matters. */
const guarded: typeof navigate = (to, options) => {
  if (new URL(to, location.href).pathname === location.pathname) navigate(to, options);
  else leaving('page', () => navigate(atSameMoment(new URL(to, location.href)), options));
};

/** Whoever looks at an earlier moment looks at the same one on the next page, if that shows moments. */
const atSameMoment = (to: URL): string => {
  const asOf = new URLSearchParams(location.search).get('asOf');
  const shows = ({ pathname }: URL | Location) => pageAt(pathname).moments === true;
  if (asOf !== null && shows(location) && shows(to) && !to.searchParams.has('asOf')) to.searchParams.set('asOf', asOf);
  return to.pathname + to.search + to.hash;
};

let shown = location.href;
const note = () => {
  shown = location.href;
};
for (const moved of ['pushState', 'replaceState']) window.addEventListener(moved, note);

/**
 * The browser reports Back and Forward only once they have happened: the page is put back before the router notices. That replaces the entries
 * ahead in the history, so that Back leads to where either went.
 */
let isAgreed = false;
window.addEventListener(
  'popstate',
  (event) => {
    if (isAgreed || new URL(shown).pathname === location.pathname || !wouldLose('page')) {
      isAgreed = false;
      return note();
    }
    event.stopImmediatePropagation();
    history.pushState(null, '', shown);
    return leaving('page', () => {
      isAgreed = true;
      history.back();
    });
  },
  { capture: true },
);
