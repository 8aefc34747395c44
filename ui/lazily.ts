import type { ComponentType, FunctionComponent } from 'react';
import { createElement, lazy, useState } from 'react';

type Load<Name extends string, Props> = () => Promise<{ readonly [name in Name]: ComponentType<Props> }>;

/** What files have brought, by what loads them. */
const loaded = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a file now, so that its component is drawn at once, without a round in which the page waits for it. */
export const loadNow = async (load: () => Promise<unknown>): Promise<void> => {
  loaded.set(load, await load());
};

/** A component whose file is loaded on first render: `lazily(load, 'Page')`, where `load` imports the file. */
export const lazily = <Name extends string, Props extends object>(load: Load<Name, Props>, name: Name): FunctionComponent<Props> => {
  // Safe: what `lazy` makes takes the properties of its component, which it cannot say of a component that is not known.
  const later = lazy(async () => ({ default: (await load())[name] })) as unknown as ComponentType<Props>;
  // Safe: it is what `load` has brought.
  const now = () => (loaded.get(load) as Awaited<ReturnType<typeof load>> | undefined)?.[name];
  return (props: Props) => {
    const [{ shown }] = useState(() => ({ shown: now() ?? later }));
    return createElement(shown, props);
  };
};

/** The same, and the file is loaded as soon as the browser has nothing else to do: so it is there when the network is not. */
export const lazilyAhead = <Name extends string, Props extends object>(load: Load<Name, Props>, name: Name): FunctionComponent<Props> => {
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
