import { sayable } from '../../events/store/postgres/without-values.ts';
import type pg from 'pg';
import type { SigningKey } from '../../events/proof/head.ts';
import { exportHeads, signHeads } from '../../events/proof/heads.ts';

export type HeadSignerOptions = {
  readonly pool: pg.Pool;
  readonly key: SigningKey;
  /** where every signed head is written, in addition to the database */
  readonly file: string;
  /** prints a line about a failure on the console */
  readonly tell: (line: string) => void;
};

export type HeadSigner = {
  /** The ledger may have grown. */
  grown(): void;
  /** The last heads could not be kept. */
  isInTrouble(): boolean;
  /** Signs the heads of all trees that have grown, and stops. */
  close(): Promise<void>;
};

/** How long the first event after a head waits for the next head. */
const EVERY_MS = 60_000;

/**
 * Signs the head of each school whose tree has grown: a minute after the first event that no head covers, and on shutdown. So a busy school
 * gets a head per minute and a quiet one none, and events are unprotected for at most a minute. Writers never wait for it. A failure is
 * reported once and retried a minute later.
 */
export const headSigner = ({ pool, key, file, tell }: HeadSignerOptions): HeadSigner => {
  let timer: NodeJS.Timeout | undefined;
  let signing: Promise<void> = Promise.resolve();
  let trouble = '';

  const sign = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<{ school: string; size: number; root: string }>(GROWN);
      const at = new Date().toISOString();
      if (rows.length > 0)
        await signHeads(
          pool,
          rows.map((row) => ({ ...row, at })),
          key,
        );
      await exportHeads(pool, file);
      trouble = '';
    } catch (error) {
      const sentence = `Signed heads cannot be kept: ${sayable(error)}`;
      if (sentence !== trouble) tell(sentence);
      trouble = sentence;
      grown();
    }
  };

  const grown = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      signing = sign();
    }, EVERY_MS).unref();
  };

  return {
    grown,
    isInTrouble: () => trouble !== '',
    async close() {
      await signing;
      await sign();
      clearTimeout(timer);
    },
  };
};

/**
 * A school with fewer events than were signed: no further head of it is signed until an operator has accepted the log. Heads are signed from
 * the ledger, so that they are never ahead of it in the log that they belong to.
 */
export const signedBeyond = async (
  client: Pick<pg.ClientBase, 'query'>,
): Promise<{ readonly size: number; readonly events: number } | undefined> =>
  (await client.query<{ size: number; events: number }>(BEYOND)).rows[0];

const BEYOND = `
  select h.size, coalesce(t.size, 0) as events
    from proof.standing_heads h left join read.ledger_trees t on t.school_id = h.school_id
   where h.size > coalesce(t.size, 0)
     and not exists (select from read.version v where v.projection = 'ledger' and v.serving and v.stale)
   order by h.size desc
   limit 1`;

/** Ignores a build that was filled from another log. */
const GROWN = `
  select t.school_id as school, t.size, t.root
    from read.ledger_trees t
   where not exists (select from proof.standing_heads h where h.school_id = t.school_id and h.size >= t.size)
     and not exists (select from read.version v where v.projection = 'ledger' and v.serving and v.stale)`;
