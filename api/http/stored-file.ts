import { createHash } from 'node:crypto';
import { type Encoding, encodingIn } from '../common/encoding.ts';

/** Bytes that are sent as they are, with what they were compressed to once. */
export type StoredFile = {
  readonly type: string;
  readonly tag: string;
  readonly content: Bytes;
  readonly compressed: Readonly<Record<Encoding, Bytes | undefined>>;
};
type Bytes = Uint8Array<ArrayBuffer>;

/** The tag is that of the content: the same in every process. */
export const storedFile = (type: string, content: Bytes, compressed: StoredFile['compressed']): StoredFile => ({
  type,
  tag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  content,
  compressed,
});

/** The file, compressed if the client takes that; 304 if it holds it already. HEAD: without the bytes. */
export const answerWithFile = (
  request: Request,
  { type, tag, content, compressed }: StoredFile,
  { status = 200, headers: ownHeaders = {} }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response => {
  const headers = new Headers({ 'Content-Type': type, ETag: tag, Vary: 'Accept-Encoding, Cookie', ...ownHeaders });
  if (status === 200 && request.headers.get('If-None-Match')?.includes(tag)) return new Response(null, { status: 304, headers });
  const encoding = encodingIn(request.headers.get('Accept-Encoding') ?? undefined);
  const inEncoding = encoding && compressed[encoding];
  if (encoding && inEncoding) headers.set('Content-Encoding', encoding);
  const body = inEncoding ?? content;
  headers.set('Content-Length', String(body.length));
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
};
