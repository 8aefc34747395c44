/** The service worker of students' pages (offline-app.ts). It keeps nothing itself, and does not look at requests to /api. */
import { PATIENCE } from '../../ui/drafts/patience.ts';
import { OFFLINE_CACHE, SELECT_PAGE, SUBMIT_PAGE } from './place.ts';

/** The part of a service worker's scope that is used here: the types of pages do not have it. */
type Fetching = Event & { readonly request: Request; respondWith(answer: Promise<Response>): void };

self.addEventListener('fetch', (event) => {
  if (!isFetching(event)) return;
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // A page of staff: its requests go to the network untouched.
  if (pathname === SELECT_PAGE) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/student-ui/assets/')) event.respondWith(file(request));
});

const isFetching = (event: Event): event is Fetching => 'request' in event && 'respondWith' in event;

/** From the network, so that a new version is taken; if that fails, or is silent for too long, as it was kept. */
const page = async (request: Request): Promise<Response> => {
  const coming = fetch(request);
  const answer = await Promise.race([coming.catch(() => undefined), silence()]);
  if (answer && answer.status < 500) return answer;
  return (await kept(SUBMIT_PAGE)) ?? coming;
};

const silence = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), PATIENCE));

/** A file's name changes with its content. */
const file = async (request: Request): Promise<Response> => (await kept(request)) ?? fetch(request);

const kept = async (what: Request | string): Promise<Response | undefined> =>
  (await caches.open(OFFLINE_CACHE)).match(what, { ignoreSearch: true, ignoreVary: true });
