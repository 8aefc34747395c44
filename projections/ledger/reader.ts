import type pg from 'pg';
import type { Leaf, Ledger } from '../../events/proof/evidence.ts';

/** The ledger in the database, for verification; undefined if there is none yet. @param pool of the read models' owner */
export const ledgerIn = async (pool: pg.Pool): Promise<Ledger | undefined> => {
  const { rows } = await pool.query<{ ledger: string | null }>(`select to_regclass('read.ledger_trees') as ledger`);
  return rows[0]?.ledger ? readerOf(pool) : undefined;
};

const readerOf = (pool: pg.Pool): Ledger => ({
  async trees() {
    return (
      await pool.query<{ school: string; size: number; root: string }>('select school_id as school, size, root from read.ledger_trees')
    ).rows;
  },

  async leaves(school, size) {
    const leaves: Leaf[] = [];
    while (leaves.length < size) {
      const { rows } = await pool.query<Leaf>(
        'select event_id as id, hash from read.ledger_leaves where school_id = $1 and number >= $2 and number < $3 order by number',
        [school, leaves.length, Math.min(size, leaves.length + 10_000)],
      );
      if (rows.length === 0) break;
      leaves.push(...rows);
    }
    return leaves;
  },
});
