import { createHash } from 'node:crypto';
import pg, { type ClientBase, type QueryConfig } from 'pg';

/**
 * A pool whose broken connections never end the process, as an 'error' event without a listener would. The pool itself only listens while a
 * connection is idle; a borrowed one may break before its borrower listens, and some libraries never do. The next query on the connection
 * reports the failure. Its statements have names (`nameStatements`).
 */
export const steadyPool = (config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(config);
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
    nameStatements(client);
  });
  return pool;
};

/**
 * Gives each statement with values a name made of its text, so that a connection parses and plans it once: planning was a quarter to half of
 * the time that PostgreSQL spent on statements, and undo planned eight times as long as it ran.
 *
 * A connection keeps what has a name as long as it lives (10 s beyond its last use): some 20 KB, 200 KB for a large query; the reader's grow
 * from 12 MB to 15 at most. So texts must be constants of the source. One that is made for a request, as a list's with its filters is, comes
 * with the name `''`: PostgreSQL's own for a statement that the next replaces.
 */
const nameStatements = (client: ClientBase): void => {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const named = (statement: string | QueryConfig, values?: unknown, ...rest: readonly unknown[]): unknown =>
    query(withName(statement, values), values, ...rest);
  client.query = named as typeof client.query;
};

const withName = (statement: string | QueryConfig, values: unknown): string | QueryConfig => {
  const config = typeof statement === 'string' ? { text: statement } : statement;
  if (config.name !== undefined || !('text' in config) || !hasSome(values ?? config.values)) return statement;
  return { ...config, name: nameOf(config.text) };
};

const hasSome = (values: unknown): boolean => Array.isArray(values) && values.length > 0;

/** Names for at most so many texts; later ones have the name `''`. */
export const namesFor = (most: number): ((text: string) => string) => {
  const names = new Map<string, string>();
  return (text) => {
    const existing = names.get(text);
    if (existing !== undefined) return existing;
    if (names.size >= most) return '';
    const name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
};

/** Several times what the source has. */
const nameOf = namesFor(1_000);
