import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { SESSION_COOKIE } from '../../api/auth/identity/library.ts';
import { appAt, apps, isPage, outputOf, WELCOME_PAGE } from '../apps.ts';

/**
 * Serves the built apps from memory: files under `/{folder}/`, and for any other address the page of its app, with status 404 if there is
 * no such page. Without a session, `/` is pre-rendered. Undefined for methods other than GET and HEAD, and if nothing was built.
 */
export function appServer(): (request: Request) => Response | undefined {
  const files = new Map(apps.flatMap((app) => [...filesOf(app.folder, outputOf(app))]));
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const path = decoded(new URL(request.url).pathname);
    const file = files.get(path);
    if (file) return answer(request, file, path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (apps.some(({ folder }) => path.startsWith(`/${folder}/`))) return new Response('Not found', { status: 404 });
    const folder = appAt(path)?.folder;
    const welcome = path === '/' && !hasSession(request) ? files.get(`/${folder}/${WELCOME_PAGE}`) : undefined;
    const page = welcome ?? files.get(`/${folder}/index.html`);
    return page && answer(request, page, 'no-cache', isPage(path) ? 200 : 404);
  };
}

/** Whether there is a session cookie. The page itself finds out whether the session is alive. */
const hasSession = (request: Request): boolean => request.headers.get('Cookie')?.includes(SESSION_COOKIE) ?? false;

/** The pages that open without a network (student-ui/marks/offline-app.ts). */
const WITHOUT_NETWORK = '/student';

interface File {
  readonly type: string;
  readonly tag: string;
  readonly content: Buffer<ArrayBuffer>;
  readonly br: Buffer<ArrayBuffer> | undefined;
  readonly gzip: Buffer<ArrayBuffer> | undefined;
}

function filesOf(folder: string, directory: string): Map<string, File> {
  const files = new Map<string, File>();
  if (!existsSync(directory)) return files;
  const read = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.(gz|br)$/.test(path)) continue;
    const content = readFileSync(path);
    files.set(`/${folder}/${relative(directory, path).split(sep).join('/')}`, {
      type: types[extname(path)] ?? 'application/octet-stream',
      tag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
      content,
      br: read(`${path}.br`),
      gzip: read(`${path}.gz`),
    });
  }
  return files;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.csv': 'text/csv; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

function answer(request: Request, file: File, cacheControl: string, status = 200): Response {
  const headers = new Headers({
    'Content-Type': file.type,
    'Cache-Control': cacheControl,
    ETag: file.tag,
    Vary: 'Accept-Encoding, Cookie',
    'X-Content-Type-Options': 'nosniff',
  });
  // A service worker answers no more than these pages, wherever its script lies.
  if (request.headers.get('Service-Worker') === 'script') headers.set('Service-Worker-Allowed', WITHOUT_NETWORK);
  if (status === 200 && request.headers.get('If-None-Match')?.includes(file.tag)) return new Response(null, { status: 304, headers });
  const accepted = request.headers.get('Accept-Encoding') ?? '';
  const encoding = file.br && /\bbr\b/.test(accepted) ? 'br' : file.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  if (encoding) headers.set('Content-Encoding', encoding);
  const body = (encoding && file[encoding]) ?? file.content;
  headers.set('Content-Length', String(body.length));
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
