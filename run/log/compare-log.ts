/** Whether the log that answers is the one that is known here, and what to say if it is not. */
import type { Recognised, Recognition } from '../../events/store/circuit-breaker.ts';
import { identityOf } from '../../events/store/identity.ts';
import { LogMissing } from '../../events/store/port.ts';
import { type KnownLog, type LogKeeper, relationExists } from './log-identity.ts';

type Look = Parameters<Recognition['recognise']>[0];

type Found =
  | { readonly is: Recognised; readonly isEmpty: boolean }
  | {
      readonly is: 'wrong';
      /** what is there instead, as the end of a sentence */
      readonly what: string;
      readonly isEmpty: boolean;
      readonly logId?: string | undefined;
      /** The newest known event, if it is not there. */
      readonly missing?: string | undefined;
    };

export const compare = async (sql: LogKeeper['sql'], knownLog: KnownLog, log: Look): Promise<Found> => {
  const { newest } = knownLog;
  try {
    const logId = await identityOf(log);
    const place = newest ? await whereIs(sql, newest, log) : 'same';
    if (place !== 'nowhere' && (knownLog.logId === undefined || knownLog.logId === logId)) {
      return { is: place, isEmpty: logId === undefined && newest === undefined && (await log.head()) === 0n };
    }
    const isEmpty = logId === undefined && (await log.head()) === 0n;
    const missing = place === 'nowhere' ? newest?.id : undefined;
    return { is: 'wrong', what: whatIs({ isEmpty, logId, missing }, knownLog), isEmpty, logId, missing };
  } catch (error) {
    if (!(error instanceof LogMissing) || (knownLog.logId === undefined && newest === undefined)) throw error;
    return { is: 'wrong', what: 'its tables are gone', isEmpty: true, missing: newest?.id };
  }
};

const whatIs = (
  { isEmpty, logId, missing }: { isEmpty: boolean; logId?: string | undefined; missing?: string | undefined },
  knownLog: KnownLog,
) => {
  if (isEmpty) return 'the log that answers is empty';
  if (logId !== undefined && knownLog.logId !== undefined && logId !== knownLog.logId) return `the log that answers is the log ${logId}`;
  if (logId === undefined && knownLog.logId !== undefined)
    return 'the log that answers has no identity: it is another one, or of a time before logs had one';
  return `the log that answers does not have the newest event known here (${missing}): it is another one, or an earlier state of it`;
};

/** `moved`: in a log that was copied as a whole, the event is in the same stream at the same revision. */
const whereIs = async (
  sql: LogKeeper['sql'],
  { position, id }: { position: bigint; id: string },
  log: Look,
): Promise<Recognised | 'nowhere'> => {
  if ((await log.eventAt(position))?.id === id) return 'same';
  if (!(await relationExists(sql, 'read.history'))) return 'nowhere';
  const { rows } = await sql.query<{ stream: string; revision: string }>('select stream, revision from read.history where event_id = $1', [
    id,
  ]);
  for (const { stream, revision } of rows)
    for await (const event of log.read(stream, BigInt(revision))) return event.id === id ? 'moved' : 'nowhere';
  return 'nowhere';
};

const expectation = ({ logId, newest, isFromDataDir }: KnownLog): string => {
  if (isFromDataDir) return `DATA_DIR belongs to the log ${logId}`;
  const event = newest ? ` with the event ${newest.id}` : '';
  return logId === undefined
    ? `expected was the log that the read models were filled from,${event}`
    : `expected was the log ${logId}${event}`;
};

/** Public, in /api/health: without names of servers. */
export const sentence = (knownLog: KnownLog, { what }: { readonly what: string }): string =>
  `This is not the log that belongs here: ${expectation(knownLog)}, but ${what}. ` +
  'Nothing can be stored, and what is shown stays as it was. Bring the right log back; or, to use this one instead: ' +
  'npm run marktrail -- log accept --reason "why"';

export const refusal = (knownLog: KnownLog, { what, isEmpty, missing }: Found & { is: 'wrong' }, place: string): string => {
  const from = knownLog.isFromDataDir
    ? `DATA_DIR belongs to the log ${knownLog.logId}`
    : knownLog.place === undefined
      ? 'The read models here were filled from a log with events'
      : `The read models here were filled from ${knownLog.place}`;
  const now = isEmpty
    ? `the log in ${place} is empty`
    : missing === undefined
      ? what.replace('the log that answers', `the log in ${place}`)
      : `their newest event is not in the log in ${place}`;
  return `${from}, and ${now}: ${HINT}`;
};

/** Of a log with fewer events of a school than were signed. */
export const shorter = ({ school, size }: { readonly school: string; readonly size: number }, events: number, place: string): string =>
  `This is not the log that belongs here: ${size} events of school ${school} were signed, and the log in ${place} has ${events}: ${HINT}`;

/** The same of the running product: public, in /api/health, so without the school. */
export const signedMore = ({ size, events }: { readonly size: number; readonly events: number }): string =>
  `This is not the log that belongs here: ${size} events of a school were signed, and the log has ${events}. No more of them are signed. ` +
  'Bring the right log back; or, to use this one instead: npm run marktrail -- log accept --reason "why"';

const HINT = 'check EVENTSTORE_URL. Nothing was changed. To use this log instead: npm run marktrail -- log accept --reason "why"';
