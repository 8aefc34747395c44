import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

type Load<Name extends string, Props> = () => Promise<{ readonly [name in Name]: ComponentType<Props> }>;
type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;

/** A component whose file is loaded on first render: `lazily(() => import('./frame/Page.tsx'), 'Page')`. */
export const lazily = <Name extends string, Props>(load: Load<Name, Props>, name: Name): Lazy<Props> =>
  lazy(() => load().then((module) => ({ default: module[name] })));

/** The same, and the file is loaded as soon as the browser has nothing else to do: so it is there when the network is not. */
export const lazilyAhead = <Name extends string, Props>(load: Load<Name, Props>, name: Name): Lazy<Props> => {
  whenIdle(() => void load().catch(() => undefined));
  return lazily(load, name);
};

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
