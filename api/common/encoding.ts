import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * Compression of answers. Only answers of queries and lists are compressed: they hold no tokens or codes and repeat nothing that a request said, and
 * other sites' requests come without a session (its cookie is SameSite), so their lengths tell an eavesdropper nothing to probe.
 */
export type Encoding = 'br' | 'gzip';

/** The encoding of ours that the client prefers; undefined: none, because it names none or excludes them. */
export const encodingIn = (accepted: string | undefined): Encoding | undefined => {
  const named = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/u);
      return [name, parameters.every((parameter) => !/^q=0(\.0*)?$/u.test(parameter))];
    }),
  );
  return ENCODINGS.find((encoding) => named.get(encoding) === true);
};

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** Text of fewer bytes is sent as it is: it fits into one packet. */
export const WORTH_COMPRESSING = 1_400;

export const encoded = async (text: string, encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = Buffer.from(text);
  switch (encoding) {
    case 'br':
      return inBrotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
    case 'gzip':
      return inGzip(bytes, { level: 1 });
    case undefined:
      return bytes;
  }
};

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);
