import type { Hono } from 'hono';
import { encoded } from '../../common/encoding.ts';
import { heldFor } from '../../common/held-for.ts';
import { networkOf } from '../../common/networks.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import { addressOf } from '../request/address.ts';
import { answerWithFile, type StoredFile, storedFile } from '../stored-file.ts';
import { openApi } from './openapi.ts';
import { anyJson, described, describedRoutes } from './route-docs.ts';

/**
 * `GET /api/openapi.json`. It is large and public, so it is made and compressed once, at the first request, when all routes are registered. Each
 * network gets it uncompressed at most ten times a minute.
 */
export const describeAt = (http: Hono, publicUrl: string): void => {
  const file = heldFor(Infinity, () => compressed(JSON.stringify(openApi(publicUrl, describedRoutes(http)))));
  const minute = heldFor(60_000, async () => new Map<string, number>());
  http.get('/api/openapi.json', described({ does: 'This description.', answers: anyJson }), async (c) => {
    const answer = answerWithFile(c.req.raw, await file(), { headers: { 'Cache-Control': 'no-cache' } });
    if (answer.body !== null && !answer.headers.has('Content-Encoding')) {
      const [times, network] = [await minute(), networkOf(addressOf(c))];
      const now = (times.get(network) ?? 0) + 1;
      if (now > MOST_IN_A_MINUTE) throw tooOften();
      times.set(network, now);
    }
    return answer;
  });
};

const MOST_IN_A_MINUTE = 10;
const tooOften = (): ProblemError => {
  countRefusal('description uncompressed');
  return new ProblemError('too-fast', 'That is a lot for one minute. Try again in a moment.', { retryAfter: 60 });
};

const compressed = async (text: string): Promise<StoredFile> => {
  const [content, br, gzip] = await Promise.all([encoded(text, undefined), encoded(text, 'br'), encoded(text, 'gzip')]);
  return storedFile('application/json', content, { br, gzip });
};
