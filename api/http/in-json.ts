import type { Context } from 'hono';
import type { Encoding } from '../common/encoding.ts';
import { encodingIn, WORTH_COMPRESSING } from '../common/encoding.ts';

/**
 * An answer in JSON, compressed as the client can read it if that is worth it.
 *
 * @param length of the text, roughly
 */
export const inJson = async (
  c: Context,
  length: number,
  bodyIn: (encoding: Encoding | undefined) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Response> => {
  const encoding = length < WORTH_COMPRESSING ? undefined : encodingIn(c.req.header('Accept-Encoding'));
  return c.body(await bodyIn(encoding), 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding',
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
  });
};
