import { readFile } from 'node:fs/promises';
import type { SignedHead } from '../../events/proof/head.ts';
import { headLine, storedHeads } from '../../events/proof/heads.ts';
import { verifyLog, type Verification } from '../../events/proof/verify.ts';
import { sourceAt } from '../log/log-locations.ts';
import { readHeads, some, trustedKeys, verifyOwnLog } from '../log/own-log.ts';
import { forTheUser, isOfTheSystem, teller } from '../log/transfer.ts';
import { StartError } from '../start-error.ts';
import { parseArguments } from './arguments.ts';
import type { Command, CommandContext } from '../command.ts';
import { withPool } from './with-pool.ts';

/** Whether the log is unchanged since its heads were signed. */
export const verifyTheLog: Command = {
  usage: '[--log PLACE] [--heads FILE] [--key ID ...]',
  about: 'Compares the log (here, or postgres://..., esdb://..., FILE, -) with signed heads: those stored here, and those of a file.',
  async run(context) {
    const { log, heads, key } = optionsIn(context.args);
    const report = await forTheUser(() => verification(context, log, heads, key), 'Nothing was changed.');
    console.log(reportOf(report));
    if (report.findings.length > 0) throw new StartError('The log does not match its signed heads: see above.');
  },
};

/** Prints the heads, to be kept elsewhere. */
export const listHeads: Command = {
  usage: '',
  about: 'Prints the signed heads of the log as JSON lines, to be kept where nobody here can change them.',
  async run({ database }) {
    const heads = await withPool(await database(), (pool) => storedHeads(pool));
    process.stdout.write(heads.map(headLine).join(''));
  },
};

const verification = async (
  context: CommandContext,
  log: string,
  headsFile: string | undefined,
  keys: readonly string[],
): Promise<Verification> => {
  const given = headsFile === undefined ? [] : await readGivenHeads(headsFile);
  const source = await sourceAt(log, context);
  const tell = teller();
  const events = async function* () {
    let seen = 0;
    for await (const portion of source.events()) {
      yield portion;
      tell({ step: 'check', events: (seen += portion.length) });
    }
  };
  try {
    await source.check?.();
    if (log !== 'here') {
      if (given.length === 0) throw new StartError('There is nothing to compare with: add --heads FILE.');
      return await verifyLog({ events, heads: given, keys: await trustedKeys(context.settings, keys) });
    }
    return await withPool(await context.database(), (pool) => verifyOwnLog(pool, events, { settings: context.settings, given, keys }));
  } finally {
    await source.close?.();
  }
};

/** @throws StartError for a file that cannot be read or has no heads */
const readGivenHeads = async (file: string): Promise<SignedHead[]> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw isOfTheSystem(error) ? new StartError(`The file of heads ${file} cannot be read: ${error.message}.`) : error;
  });
  const heads = readHeads(text, file);
  if (heads.length === 0) throw new StartError(`The file of heads ${file} has no heads.`);
  return heads;
};

const reportOf = ({ events, schools, proven, unprotected, findings, accepted }: Verification): string =>
  [
    ...findings,
    ...accepted,
    `${some(events, 'event')} of ${some(schools, 'school')}; ${some(proven, 'signed head')} ${proven === 1 ? 'matches' : 'match'}.`,
    `${some(unprotected, 'event')} ${unprotected === 1 ? 'is' : 'are'} newer than the last head of ${unprotected === 1 ? 'its' : 'their'} school, and not protected. Nothing protects against the holder of the signing key.`,
  ].join('\n');

const optionsIn = (args: readonly string[]): { log: string; heads: string | undefined; key: readonly string[] } => {
  const {
    log = 'here',
    heads,
    key = [],
  } = parseArguments('log verify', verifyTheLog, {
    args: [...args],
    options: { log: { type: 'string' }, heads: { type: 'string' }, key: { type: 'string', multiple: true } },
  }).values;
  return { log, heads, key };
};
