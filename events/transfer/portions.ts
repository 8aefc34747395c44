import type pg from 'pg';

/** A portion is delivered from this size on, while more is received. */
const PORTION = 256 * 1024;
const MOST = 1024 * 1024;

/**
 * What one statement sends, in portions. PostgreSQL sends ahead while the consumer works and is paused while it does not read, so that any
 * size needs little memory. The client does nothing else meanwhile; it has to be ended if it is not read to its end.
 *
 * @param asking the query; it passes on each part as it arrives, with its size in bytes or characters
 */
export async function* inPortions<Part>(
  client: pg.Client,
  asking: (take: (part: Part, size: number) => void) => pg.Query,
): AsyncGenerator<readonly Part[]> {
  const socket = client.connection.stream;
  let portion: Part[] = [];
  let size = 0;
  let ended = false;
  let failure: Error | undefined;
  let wake = Promise.withResolvers<void>();

  const query = asking((part, more) => {
    portion.push(part);
    size += more;
    if (size > MOST) socket.pause();
    if (size > PORTION) wake.resolve();
  });
  query.on('end', () => {
    ended = true;
    wake.resolve();
  });
  query.on('error', (error) => {
    failure = error;
    wake.resolve();
  });
  client.query(query);

  while (!ended || portion.length > 0) {
    if (size <= PORTION) await wake.promise;
    if (failure) throw failure;
    const ready = portion;
    portion = [];
    size = 0;
    wake = Promise.withResolvers();
    if (ended) wake.resolve();
    socket.resume();
    if (ready.length > 0) yield ready;
  }
}
