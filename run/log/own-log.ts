import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { ReadLog } from '../../events/proof/evidence.ts';
import { findSigningKey, type SignedHead } from '../../events/proof/head.ts';
import { headsIn, HeadsUnreadable, storedHeads } from '../../events/proof/heads.ts';
import { verifyLog, type Verification } from '../../events/proof/verify.ts';
import { ledgerIn } from '../../projections/ledger/reader.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';

type Own = Pick<Settings, 'dataDir' | 'signingKey' | 'headsFile'>;

/** Compares the log of this installation with the heads that are stored here, in the database and beside it, and with those given. */
export const verifyOwnLog = async (
  pool: pg.Pool,
  events: ReadLog,
  {
    settings,
    given = [],
    keys = [],
  }: { readonly settings: Own; readonly given?: readonly SignedHead[]; readonly keys?: readonly string[] },
): Promise<Verification> => {
  // The file is read first, because heads are written to the database before the file.
  const beside = await readHeadsBeside(settings.headsFile);
  const stored = await storedHeads(pool);
  const heads = together(stored, [...beside, ...given]);
  const report = await verifyLog({ events, heads, keys: await trustedKeys(settings, keys), ledger: await ledgerIn(pool) });
  const unknown = together(stored, beside).length - stored.length;
  return unknown === 0 ? report : { ...report, findings: [...report.findings, removedHeads(settings.headsFile, unknown)] };
};

/** The ids of these keys, and of our own. */
export const trustedKeys = async ({ dataDir, signingKey }: Own, keys: readonly string[]): Promise<readonly string[]> => {
  const own = await findSigningKey(dataDir, signingKey);
  return [...keys, ...(own ? [own.keyId] : [])];
};

/** The file that the product itself writes, if it is here, without a last line that is still being written. */
const readHeadsBeside = async (file: string): Promise<SignedHead[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return readHeads(text.slice(0, text.lastIndexOf('\n') + 1), file);
};

/** @throws StartError */
export const readHeads = (text: string, file: string): SignedHead[] => {
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

/** 1 event, 2 events */
export const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
