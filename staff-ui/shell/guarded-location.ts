import type { BrowserLocationHook } from 'wouter/use-browser-location';
import { navigate, useBrowserLocation } from 'wouter/use-browser-location';
import { mayLeave } from '../../ui/session/unsaved.ts';

/** Links, the menu and the browser's own Back lead to another page of this app only past the guard for unsaved input. */
export const useGuardedLocation: BrowserLocationHook = (options) => [useBrowserLocation(options)[0], guarded];

/** Another query string (a class, a sort, a moment) stays on the same page, which asks itself where it matters. */
const guarded: typeof navigate = (to, options) => {
  if (new URL(to, location.href).pathname === location.pathname || mayLeave('page')) navigate(to, options);
};

let shown = location.href;
const note = () => {
  shown = location.href;
};
for (const moved of ['pushState', 'replaceState']) window.addEventListener(moved, note);

/** Back and Forward have happened by the time they are heard of: before the router hears, the page is put back. */
window.addEventListener(
  'popstate',
  (event) => {
    if (new URL(shown).pathname === location.pathname || mayLeave('page')) return note();
    event.stopImmediatePropagation();
    return history.pushState(null, '', shown);
  },
  { capture: true },
);
