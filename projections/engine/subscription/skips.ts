import { userInfo, hostname } from 'node:os';
import type { ClientBase } from 'pg';

/** An event that a projection skips by an operator's decision. */
export type Skip = {
  readonly projection: string;
  readonly eventId: string;
  readonly reason: string;
  readonly by: string;
  /** ISO 8601 */
  readonly at: string;
};

export const skips = async (client: Pick<ClientBase, 'query'>): Promise<Skip[]> =>
  (
    await client.query<Skip>(
      `select projection, event_id as "eventId", reason, by,
              to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
         from operations.skipped_event order by at, projection`,
    )
  ).rows;

/** The ids of skipped events by projection. */
export const skippedIds = async (client: Pick<ClientBase, 'query'>): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const ids = new Map<string, Set<string>>();
  for (const { projection, eventId } of await skips(client)) ids.set(projection, (ids.get(projection) ?? new Set()).add(eventId));
  return ids;
};

/** Records the skip. Repeating it changes nothing: the first operator remains responsible. */
export const recordSkip = async (
  client: Pick<ClientBase, 'query'>,
  { projection, eventId, reason, by }: Omit<Skip, 'at'>,
): Promise<void> => {
  await client.query(
    'insert into operations.skipped_event (projection, event_id, reason, by) values ($1, $2, $3, $4) on conflict do nothing',
    [projection, eventId, reason, by],
  );
};

/** The operating system's user, for commands on the command line. */
export const operator = (): string => `${userInfo().username}@${hostname()}`;
