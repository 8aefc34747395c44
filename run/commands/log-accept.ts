import type pg from 'pg';
import { findSigningKey, headsInForce, openSigningKey } from '../../events/proof/head.ts';
import { exportHeads, HeadsFileDiffers, signHeads, storedHeads } from '../../events/proof/heads.ts';
import { acceptedHeads } from '../../events/proof/verify.ts';
import { operator } from '../../projections/engine/subscription/skips.ts';
import { buildStatuses, recordTrouble } from '../../projections/engine/announcing/status.ts';
import { ledger } from '../../projections/ledger/ledger.ts';
import { acceptOrigin } from '../log/log-origin.ts';
import { sourceAt } from '../log/log-locations.ts';
import { forTheUser } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import { parseArguments, wrongUsage } from './arguments.ts';
import type { Command, CommandContext } from '../command.ts';
import { withPool } from './with-pool.ts';

/** After a restore or a move: accepts the log as it is now. Earlier heads are kept, and this act is recorded. */
export const acceptTheLog: Command = {
  usage: '--reason "why" [--by "who"] [--key ID ...] [--new-key]',
  about: 'Accepts the log as it is, although signed heads or read models have newer events (a backup was restored). Recorded and signed.',
  async run(context) {
    const { by, reason, keys: given, newKey } = optionsIn(context.args);
    const databaseUrl = await context.database();
    const act = { at: new Date().toISOString(), by, reason };
    const { schools, former } = await forTheUser(() => withPool(databaseUrl, (pool) => acceptHeads(pool, context, act, { given, newKey })));
    const isOther = await acceptOrigin(context.settings, databaseUrl, act);
    for (const line of schools) console.log(line);
    if (isOther)
      console.log('This is the log that belongs here now. Read models whose newest event it does not have will be rebuilt from it.');
    if (former) console.log(newKeyIsMade(former));
    else if (schools.length === 0 && !isOther)
      console.log('There is nothing to accept: the log matches every signed head and the read models.');
  },
};

const newKeyIsMade = (former: readonly string[]): string =>
  former.length > 0
    ? `A new signing key was made. Whoever verifies the log needs the former one: --key ${former.join(' --key ')}`
    : 'A signing key was made. Nothing had been signed before, so it takes the place of none: whoever verifies the log needs no other.';

type Act = { readonly at: string; readonly by: string; readonly reason: string };

/** `former`: ids of the keys that signed so far, if a new one was made; undefined: none was. */
type AcceptedHeads = { readonly schools: readonly string[]; readonly former: readonly string[] | undefined };

const acceptHeads = async (
  pool: pg.Pool,
  context: CommandContext,
  act: Act,
  { given, newKey }: { readonly given: readonly string[]; readonly newKey: boolean },
): Promise<AcceptedHeads> => {
  const { dataDir, signingKey, headsFile } = context.settings;
  const present = await findSigningKey(dataDir, signingKey);
  if (present && newKey) throw new StartError('The signing key is not missing: there is nothing to replace.');
  const heads = await storedHeads(pool);
  if (heads.length === 0) {
    if (newKey) await openSigningKey(dataDir);
    return { schools: [], former: newKey ? [] : undefined };
  }
  if (!present && !newKey)
    throw new StartError(
      'The signing key is missing: set SIGNING_KEY, or DATA_DIR to the directory of signing.key; or, if it is lost, add --new-key.',
    );
  const former = newKey ? [...new Set(heads.map(({ keyId }) => keyId))] : undefined;
  const source = await sourceAt('here', context);
  try {
    const keys = [...given, ...(former ?? []), ...(present ? [present.keyId] : [])];
    const accepted = await acceptedHeads({ events: () => source.events(), heads, keys, all: newKey }, act);
    // The first heads of a new key record who made it and why. It is made last, so that the command can be repeated after a failure above.
    const key = present ?? (await openSigningKey(dataDir));
    if (accepted.length === 0) return { schools: [], former };
    await signHeads(pool, accepted, key);
    await exportHeads(pool, headsFile).catch((error: unknown) => {
      if (!(error instanceof HeadsFileDiffers)) throw error;
      console.error(`${error.message}.`);
    });
    await resumeLedger(pool);
    const schools = accepted.flatMap(({ school, size, accepted: given }) => {
      const keeps = given?.keeps ?? 0;
      const isKept = !headsInForce(heads).some((head) => head.school === school && head.size > keeps);
      return isKept ? [] : [`School ${school}: accepted with ${size} events; the heads after ${keeps} events are given up.`];
    });
    return { schools, former };
  } finally {
    await source.close?.();
  }
};

/** Clears the ledger's error, so that the projector retries at once. */
const resumeLedger = async (pool: pg.Pool): Promise<void> => {
  for (const build of await buildStatuses(pool))
    if (build.name === ledger.name && build.stoppedAt !== null) await recordTrouble(pool, 'read', build, null);
};

const optionsIn = (args: readonly string[]): { by: string; reason: string; keys: readonly string[]; newKey: boolean } => {
  const { values } = parseArguments('log accept', acceptTheLog, {
    args: [...args],
    options: {
      reason: { type: 'string' },
      by: { type: 'string' },
      key: { type: 'string', multiple: true },
      'new-key': { type: 'boolean' },
    },
  });
  const oneLine = (text = ''): string => text.replaceAll(/\s+/g, ' ').trim();
  const reason = oneLine(values.reason);
  if (reason === '') throw wrongUsage('log accept', acceptTheLog);
  return { reason, by: oneLine(values.by) || operator(), keys: values.key ?? [], newKey: values['new-key'] === true };
};
