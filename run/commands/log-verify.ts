import { readFile } from 'node:fs/promises';
import { findSigningKey, type SignedHead } from '../../events/proof/head.ts';
import { headLine, headsIn, HeadsUnreadable, storedHeads } from '../../events/proof/heads.ts';
import { verifyLog, type Verification } from '../../events/proof/verify.ts';
import { ledgerIn } from '../../projections/ledger/reader.ts';
import { sourceAt } from '../log/log-locations.ts';
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
  const ownKey = await findSigningKey(context.settings.dataDir, context.settings.signingKey);
  const given = headsFile === undefined ? [] : await readGivenHeads(headsFile);
  const trusted = [...keys, ...(ownKey ? [ownKey.keyId] : [])];
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
      return await verifyLog({ events, heads: given, keys: trusted });
    }
    return await withPool(await context.database(), async (pool) => {
      // The file is read first, because heads are written to the database before the file.
      const beside = await readHeadsBeside(context.settings.headsFile);
      const stored = await storedHeads(pool);
      const heads = together(stored, [...beside, ...given]);
      const report = await verifyLog({ events, heads, keys: trusted, ledger: await ledgerIn(pool) });
      const unknown = together(stored, beside).length - stored.length;
      return unknown === 0 ? report : { ...report, findings: [...report.findings, removedHeads(context.settings.headsFile, unknown)] };
    });
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

/** The file that the product itself writes, if it is here, without a last line that is still being written. */
const readHeadsBeside = async (file: string): Promise<SignedHead[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return readHeads(text.slice(0, text.lastIndexOf('\n') + 1), file);
};

const readHeads = (text: string, file: string): SignedHead[] => {
  try {
    return headsIn(text, file);
  } catch (error) {
    throw error instanceof HeadsUnreadable ? new StartError(error.message) : error;
  }
};

const removedHeads = (file: string, count: number): string =>
  `${file} has ${some(count, 'signed head')} that ${count === 1 ? 'is not in the database: it was' : 'are not in the database: they were'} removed there, or an earlier backup of it was restored. ` +
  'After a restore, move the file elsewhere.';

/** The heads of both lists, each once. */
const together = (stored: readonly SignedHead[], given: readonly SignedHead[]): SignedHead[] => [
  ...new Map([...stored, ...given].map((head) => [contentOf(head), head])).values(),
];

/** All fields, because an edited head may still have its signature. The order of the fields does not matter. */
const contentOf = ({ number, school, size, root, at, keyId, publicKey, signature, accepted }: SignedHead): string =>
  JSON.stringify([number, school, size, root, at, keyId, publicKey, signature, accepted?.keeps, accepted?.by, accepted?.reason]);

const reportOf = ({ events, schools, proven, unprotected, findings, accepted }: Verification): string =>
  [
    ...findings,
    ...accepted,
    `${some(events, 'event')} of ${some(schools, 'school')}; ${some(proven, 'signed head')} ${proven === 1 ? 'matches' : 'match'}.`,
    `${some(unprotected, 'event')} ${unprotected === 1 ? 'is' : 'are'} newer than the last head of ${unprotected === 1 ? 'its' : 'their'} school, and not protected. Nothing protects against the holder of the signing key.`,
  ].join('\n');

const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
