import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { encodingIn } from '../../common/encoding.ts';
import type { OpeningName } from '../../contract/openings.ts';
import { OPENING_BLOCK, openings, placeIn, SUBJECT_COOKIE } from '../../contract/openings.ts';
import { askerOf } from '../request/asker.ts';
import type { QueryOptions } from './queries.ts';
import { headersOf } from './queries.ts';

export type PageOptions = QueryOptions & {
  /** Serves the apps; undefined: no such page. */
  readonly serveApp: (request: Request) => Response | undefined;
  /** Around a page that is made for somebody, as around any answer of the api. */
  readonly around: readonly MiddlewareHandler[];
};

/** The files of the apps and their pages. The page of somebody who is signed in brings what it asks first, so that it need not ask. */
export const pageRoutes = (options: PageOptions): Hono => {
  const http = new Hono();
  for (const handler of options.around) http.use(onlyFor((c) => isOpened(options, c), handler));
  http.all('*', async (c) => {
    const served = options.serveApp(c.req.raw);
    if (!served || !isOpened(options, c)) return served ?? c.text('Not found', 404);
    const page = (await options.serveApp(new Request(c.req.url))?.text()) ?? '';
    const end = page.lastIndexOf('</body>');
    if (end < 0) return served;
    return inParts(
      c,
      page.slice(0, end),
      blockOf(options, c).then((block) => block + page.slice(end)),
    );
  });
  return http;
};

const onlyFor =
  (isMeant: (c: Context) => boolean, handler: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    isMeant(c) ? handler(c, next) : next();

/**
 * Whether somebody who is signed in opens a page here, themselves or from another of our pages: other sites' links bring nothing, so that they
 * cannot make a browser ask. What a script fetches, as a service worker does to keep it, and what is fetched before anybody wants it, is the
 * same for everybody. The past, and pages that are viewed as somebody else, are recorded when they are looked at: their pages ask.
 */
const isOpened = ({ sessions }: PageOptions, c: Context): boolean =>
  c.req.method === 'GET' &&
  c.req.header('Sec-Fetch-Mode') === 'navigate' &&
  ['none', 'same-origin'].includes(c.req.header('Sec-Fetch-Site') ?? '') &&
  c.req.header('Sec-Purpose') === undefined &&
  openingOf(c.req.path) !== undefined &&
  c.req.query('asOf') === undefined &&
  !sessions.bringsToken(c.req.raw.headers) &&
  sessions.tokenIn(c.req.raw.headers) !== undefined;

const openingOf = (path: string) => Object.entries(openings).find(([one]) => one === path)?.[1];

/** The block of data with what has been answered in time; empty: nothing, as where the session has ended. What is refused, the page asks itself. */
const blockOf = async (options: PageOptions, c: Context): Promise<string> => {
  const line = randomUUID();
  const answers: string[] = [];
  const ask = async <Name extends OpeningName | 'me'>(name: Name, input: object) => {
    const found = await options.queries.ask(name, askerOf(options, c), input);
    const body = Buffer.from(await found.body(undefined)).toString();
    const headers = JSON.stringify(headersOf(options, found, line));
    answers.push(`{"name":"${name}","ask":${JSON.stringify(input)},"headers":${headers},"body":${body}}`);
    return found.value();
  };
  const askAll = async (): Promise<void> => {
    const { role, subjects } = await ask('me', {});
    const chosen = getCookie(c, SUBJECT_COOKIE);
    const subjectId = (subjects.find((one) => one.subjectId === chosen) ?? subjects[0])?.subjectId;
    if (subjectId === undefined || !`${c.req.path}/`.startsWith(`/${role}/`)) return;
    const structure = role === 'student' ? undefined : await ask('structure', { subjectId });
    const place = structure && placeIn(structure, role, new URL(c.req.url).searchParams);
    const others = openingOf(c.req.path)?.({ subjectId, ...place }).filter(([name]) => name !== 'structure') ?? [];
    await Promise.allSettled(others.map(([name, input]) => ask(name, input)));
  };
  await Promise.race([askAll().catch(() => undefined), pause(LIMIT_MS)]);
  if (answers.length === 0) return '';
  // Nothing in it ends the element.
  const data = `{"line":"${line}","answers":[${answers.join()}]}`.replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${OPENING_BLOCK}">${data}</script>`;
};

/** A page that is sent as soon as its head is known, so that the browser loads what that names while the rest is asked for. */
const inParts = (c: Context, head: string, rest: Promise<string>): Response => {
  const encoding = encodingIn(c.req.header('Accept-Encoding'));
  const bytes =
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      : encoding === 'gzip'
        ? createGzip({ level: 1 })
        : new PassThrough();
  bytes.write(head);
  if ('flush' in bytes) bytes.flush();
  // The browser may have left.
  void rest.then((text) => bytes.destroyed || bytes.end(text));
  // Safe: these are the bytes of a page.
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding, Cookie',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    },
  });
};

/** After which the page asks itself. */
const LIMIT_MS = 300;
