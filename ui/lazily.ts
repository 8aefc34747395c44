import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

type Load<Name extends string, Props> = () => Promise<{ readonly [name in Name]: ComponentType<Props> }>;
type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;

/** A component whose file is loaded on first render: `lazily(load, 'Page')`, where `load` imports the file. */
export const lazily = <Name extends string, Props>(load: Load<Name, Props>, name: Name): Lazy<Props> =>
  lazy(() => load().then((module) => ({ default: module[name] })));

/** The same, and the file is loaded as soon as the browser has nothing else to do: so it is there when the network is not. */
export const lazilyAhead = <Name extends string, Props>(load: Load<Name, Props>, name: Name): Lazy<Props> => {
  whenIdle(() => void ahead(load));
  return lazily(load, name);
};

const ahead = async (load: () => Promise<unknown>): Promise<void> => {
  loadingAhead += 1;
  // Nobody waits for it: whoever opens it later loads it then.
  await load().catch(() => undefined);
  loadingAhead -= 1;
};
let loadingAhead = 0;

/**
 * After an upgrade of the server, parts of the app that are not loaded yet no longer exist: reloads the page, at most once a minute. Not for
 * what nobody has opened yet, nor while the server cannot be reached: the page would be lost with what is on it.
 */
export const reloadAfterUpgrade = (): void => {
  window.addEventListener('vite:preloadError', () => {
    if (loadingAhead === 0) void reload();
  });
};

const reload = async (): Promise<void> => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 60_000) return;
  if (!(await isServerThere())) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
};

export const isServerThere = (): Promise<boolean> =>
  fetch('/api/health/live').then(
    ({ ok }) => ok,
    () => false,
  );

const RELOADED = 'marktrail-restarted';

/** ms after the page has loaded: what it asks for itself goes first. */
const AFTER = 3000;

const whenIdle = (act: () => void): void => {
  const wait = () =>
    setTimeout(() => {
      // Not in every browser.
      if (typeof requestIdleCallback === 'function') requestIdleCallback(act);
      else act();
    }, AFTER);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
};
