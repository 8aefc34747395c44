import { request, type APIRequestContext, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { insisted } from '../support/client.ts';
import { limit } from '../support/limits.ts';
import { openBrowser } from './shared-browser.ts';

/** `fresh`: a profile that nobody had before and nobody gets after: for a clock that stands, or scripts of the profile's own. */
export type ProfileOptions = Parameters<Browser['newContext']>[0] & { readonly fresh?: boolean };

const WIDE = { width: 1440, height: 900 };

/**
 * Browser profiles that the tests of a worker have one after the other. A profile that is given back is emptied of all that a site can keep;
 * only what the browser has read and compiled of the apps stays, which is half of what a page costs.
 */
const free: { readonly place: string; readonly context: BrowserContext; readonly page: Page }[] = [];

const newContext = async (address: string, options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> => {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, baseURL: address, reducedMotion: 'reduce', ...options });
  // A notice goes after some seconds, which on a busy machine may be before it was looked at.
  await context.addInitScript(() => Object.assign(window, { noticesStay: true }));
  context.setDefaultTimeout(limit.wait);
  insisting(context.request);
  followPositions(context);
  noteRefusals(context);
  return context;
};

/** What the Content-Security-Policy has kept pages from: styles, scripts or pictures that a page wanted and did not get. */
const refused: string[] = [];

/** For a context that is none of a profile, too. */
export const noteRefusals = (context: BrowserContext): void => {
  context.on('console', (message) => {
    // What stands at no address is of axe, which a test runs in the page.
    if (message.text().includes('Content Security Policy') && message.location().url !== '') refused.push(message.text());
  });
};

/** Since the last look. */
export const refusals = (): readonly string[] => refused.splice(0);

/** What the tests of a file use; `giveBack` after each of them. */
export const openProfiles = (address: () => string) => {
  /** `place`: what a profile has for good, its address and the size of its pages; none if nobody is to have it again. */
  const used: { readonly context: BrowserContext; readonly place: string | undefined }[] = [];
  return {
    /** A page of somebody of whom the browser knows nothing. */
    async page({ fresh = false, viewport = WIDE, ...options }: ProfileOptions = {}): Promise<Page> {
      const isKept = !fresh && Object.keys(options).length === 0;
      const place = isKept ? JSON.stringify([address(), viewport]) : undefined;
      const at = free.findLastIndex((one) => one.place === place);
      const [again] = at < 0 ? [] : free.splice(at, 1);
      const context = again?.context ?? (await newContext(address(), { ...options, viewport }));
      used.push({ context, place });
      return again?.page ?? context.newPage();
    },
    contexts: (): readonly BrowserContext[] => used.map(({ context }) => context),
    async giveBack({ isSpoilt }: { readonly isSpoilt: boolean }): Promise<void> {
      await Promise.all(
        used.splice(0).map(async ({ context, place }) => {
          if (isSpoilt || place === undefined) return context.close();
          free.push({ place, context, page: await emptied(context, address()) });
        }),
      );
    },
  };
};

/** Closes the pages, forgets all that they have stored, and opens an empty one. */
const emptied = async (context: BrowserContext, origin: string): Promise<Page> => {
  const page = await context.newPage();
  await Promise.all(
    context
      .pages()
      .filter((one) => one !== page)
      .map((one) => one.close()),
  );
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearCookies();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,service_workers,cache_storage' });
  await devtools.detach();
  positions.delete(context);
  return page;
};

/** The newest position in the log that a page of the profile was told when it had stored something. */
const positions = new WeakMap<BrowserContext, Promise<bigint>>();

const followPositions = (context: BrowserContext): void => {
  context.on('response', (response) => {
    if (response.request().method() !== 'POST' || !response.url().includes('/api/commands/') || response.status() !== 200) return;
    const told = response.json().then(
      ({ position }: { position: string | null }) => BigInt(position ?? 0),
      () => 0n,
    );
    const before = positions.get(context) ?? Promise.resolve(0n);
    positions.set(
      context,
      Promise.all([before, told]).then(([one, other]) => (one > other ? one : other)),
    );
  });
};

/** Asks for an answer that knows all that the pages of the profile have stored so far. */
export const knowing = async (context: BrowserContext): Promise<{ readonly 'X-Min-Position'?: string }> => {
  const position = await positions.get(context);
  return position === undefined ? {} : { 'X-Min-Position': String(position) };
};

/** Somebody who needs no page. */
export const openCaller = async (address: string): Promise<APIRequestContext> =>
  insisting(await request.newContext({ baseURL: address, extraHTTPHeaders: { Origin: address } }));

/** Asks again what is refused as temporarily busy, as the apps do. */
const insisting = (caller: APIRequestContext): APIRequestContext => {
  const fetch = caller.fetch.bind(caller);
  const ask: APIRequestContext['fetch'] = async (what, options) => {
    const { answer } = await insisted(async () => {
      // A connection that the server has just closed, as nobody used it for long, is no answer either.
      const answer = await fetch(what, { maxRetries: 3, ...options });
      return { answer, status: answer.status(), headers: new Headers(answer.headers()) };
    });
    return answer;
  };
  return Object.assign(caller, { fetch: ask });
};

/** As the log-in page does, but without it. */
export const signInByCall = async (caller: APIRequestContext, address: string, email: string): Promise<void> => {
  const answer = await caller.post(`${address}/api/identity/sign-in/email`, {
    data: { email, password: 'marktrail-demo' },
    headers: { Origin: address },
  });
  expect(answer.status(), await answer.text()).toBe(200);
};
