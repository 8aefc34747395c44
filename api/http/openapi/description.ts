import type { Hono } from 'hono';
import { encoded } from '../../common/encoding.ts';
import { heldFor } from '../../common/held-for.ts';
import { networkOf } from '../../common/networks.ts';
import { BytesPerMinute } from '../body/per-minute.ts';
import { addressOf } from '../request/address.ts';
import { answerWithFile, type StoredFile, storedFile } from '../stored-file.ts';
import { openApi } from './openapi.ts';
import { anyJson, described, describedRoutes } from './route-docs.ts';

/**
 * `GET /api/openapi.json`. It is large and for anybody, so it is made and compressed once, when first asked for: all routes are registered then.
 * Uncompressed, each network gets as many bytes of it in a minute as it may send.
 */
export const describeAt = (http: Hono, publicUrl: string): void => {
  const file = heldFor(Infinity, () => compressed(JSON.stringify(openApi(publicUrl, describedRoutes(http)))));
  const perMinute = new BytesPerMinute();
  http.get('/api/openapi.json', described({ does: 'This description.', answers: anyJson }), async (c) => {
    const answer = answerWithFile(c.req.raw, await file(), { headers: { 'Cache-Control': 'no-cache' } });
    if (answer.body !== null && !answer.headers.has('Content-Encoding'))
      perMinute.count(networkOf(addressOf(c)), undefined, Number(answer.headers.get('Content-Length')));
    return answer;
  });
};

const compressed = async (text: string): Promise<StoredFile> => {
  const [content, br, gzip] = await Promise.all([encoded(text, undefined), encoded(text, 'br'), encoded(text, 'gzip')]);
  return storedFile('application/json', content, { br, gzip });
};
