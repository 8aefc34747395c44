import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

/** A component whose file is loaded on first render: `lazily(() => import('./frame/Page.tsx'), 'Page')`. */
export const lazily = <Name extends string, Props>(
  load: () => Promise<{ readonly [name in Name]: ComponentType<Props> }>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => load().then((module) => ({ default: module[name] })));
