import { sayable } from '../../events/store/postgres/without-values.ts';
import { ensureReaderLogIn } from '../../projections/engine/reader-role.ts';
import { EMBEDDED_READER } from '../postgres/cluster.ts';
import { readerUrlOfRunningServer } from '../postgres/server.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';

/**
 * The connection string of the log-in of queries: for the embedded database, which runs by now, the one that was made with it; else that of the
 * settings. Undefined: queries use the owner's log-in.
 */
export const readerUrlOf = ({ databaseUrl, readerDatabaseUrl, dataDir }: Settings): string | undefined =>
  databaseUrl === undefined ? readerUrlOfRunningServer(dataDir) : readerDatabaseUrl;

/** Prepares the log-in of queries, and checks that it reaches the same database. @throws ReaderRoleMissing, StartError */
export const openReaderLogIn = async (urls: { readonly databaseUrl: string; readonly readerDatabaseUrl: string }): Promise<void> => {
  const owners = await withClient(urls.databaseUrl, async (client) => {
    await ensureReaderLogIn(client, urls.readerDatabaseUrl, { renew: new URL(urls.readerDatabaseUrl).username === EMBEDDED_READER });
    return placeOf(client);
  });
  const readers = await withClient(urls.readerDatabaseUrl, placeOf).catch((error: unknown) => {
    throw new StartError(`The log-in of queries does not work (${sayable(error)}): check READER_DATABASE_URL.`);
  });
  if (readers !== owners) throw new StartError('READER_DATABASE_URL is another database than DATABASE_URL.');
};

/** Differs between two databases, and between a server and its replica. */
const placeOf = async (client: { query(sql: string): Promise<{ rows: { place: string }[] }> }): Promise<string | undefined> => {
  const { rows } = await client.query(`select current_database() || ' since ' || pg_postmaster_start_time() as place`);
  return rows[0]?.place;
};
