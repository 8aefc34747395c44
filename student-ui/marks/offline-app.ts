import { useEffect } from 'react';
// oxlint-disable-next-line import/default -- the bundler makes the address of the script that it builds of it
import workerAddress from './offline-worker.ts?worker&url';
import { OFFLINE_CACHE, STUDENT_PAGES, SUBMIT_PAGE } from './place.ts';

/**
 * Once a student's page is there, all of them open without a network too: a service worker answers their addresses and the files of this app from a cache,
 * where the network does not, or says nothing. Otherwise nothing of the cache is shown but files whose names change with their content, so a
 * new version is taken at the next load. `load`: fetches files of those pages that this one has not used. Only on https:// and localhost; elsewhere the page needs the network.
 */
export const useOpensOffline = (isReady: boolean, load?: () => Promise<unknown>): void => {
  useEffect(() => {
    if (isReady && 'serviceWorker' in navigator && 'caches' in window) keepApp(load).catch(() => undefined);
  }, [isReady, load]);
};

const keepApp = async (load?: () => Promise<unknown>): Promise<void> => {
  await load?.();
  await navigator.serviceWorker.register(workerAddress, { scope: STUDENT_PAGES });
  await document.fonts.ready;
  const page = await fetch(SUBMIT_PAGE);
  if (!page.ok) return;
  const wanted = await page.clone().text();
  const used = new Set(
    performance.getEntriesByType('resource').flatMap(({ name }) => {
      const { origin, pathname } = new URL(name);
      return origin === location.origin && pathname.startsWith('/student-ui/assets/') ? [pathname] : [];
    }),
  );
  // A newer version than the one that runs here: the next load keeps it.
  const isOther = [...wanted.matchAll(/(?:src|href)="(\/student-ui\/assets\/[^"]+)"/gu)].some(([, file = '']) => !used.has(file));
  if (isOther) return;
  const cache = await caches.open(OFFLINE_CACHE);
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  // In this order the page that is kept has all its files, whenever this ends.
  await cache.addAll([...used].filter((file) => !kept.has(file)));
  await cache.put(SUBMIT_PAGE, page);
  await Promise.all([...kept].filter((path) => path !== SUBMIT_PAGE && !used.has(path)).map((path) => cache.delete(path)));
};
