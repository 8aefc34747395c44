import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { answerWithFile, storedFile, type StoredFile } from '../../api/http/stored-file.ts';
import { SESSION_COOKIE } from '../../api/auth/log-in/cookies.ts';
import { appAt, apps, isPage, outputOf, pageFileOf, WELCOME_PAGE } from '../apps.ts';

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
    const page = welcome ?? files.get(`/${folder}/${pageFileOf(path)}`) ?? files.get(`/${folder}/index.html`);
    return page && answer(request, page, 'no-cache', isPage(path) ? 200 : 404);
  };
}

/** Whether there is a session cookie. The page itself finds out whether the session is alive. */
const hasSession = (request: Request): boolean => request.headers.get('Cookie')?.includes(SESSION_COOKIE) ?? false;

/** The pages that open without a network (student-ui/marks/offline-app.ts). */
const WITHOUT_NETWORK = '/student';

function filesOf(folder: string, directory: string): Map<string, StoredFile> {
  const files = new Map<string, StoredFile>();
  if (!existsSync(directory)) return files;
  const read = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.(gz|br)$/.test(path)) continue;
    const file = storedFile(types[extname(path)] ?? 'application/octet-stream', readFileSync(path), {
      br: read(`${path}.br`),
      gzip: read(`${path}.gz`),
    });
    files.set(`/${folder}/${relative(directory, path).split(sep).join('/')}`, file);
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

function answer(request: Request, file: StoredFile, cacheControl: string, status = 200): Response {
  const answered = answerWithFile(request, file, {
    status,
    headers: { 'Cache-Control': cacheControl, 'X-Content-Type-Options': 'nosniff' },
  });
  // A service worker answers no more than these pages, wherever its script lies.
  if (request.headers.get('Service-Worker') === 'script') answered.headers.set('Service-Worker-Allowed', WITHOUT_NETWORK);
  return answered;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
