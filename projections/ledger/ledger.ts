import { leafHash, Tree } from '../../events/proof/tree.ts';
import { type RecordedEvent, schoolOf } from '../../events/store/port.ts';
import { rawProjection, type Ask } from '../engine/projection.ts';
import { ledgerLeaves, ledgerTrees } from './tables.ts';

/**
 * A Merkle tree (RFC 9162) for each school over its events in commit order: every event, including parts, with its exact text in the log.
 * It stops at a size whose signed head has another root.
 */
export const ledger = rawProjection({
  name: 'ledger',
  version: 1,
  tables: { trees: ledgerTrees, leaves: ledgerLeaves },
  async fold(events, rows, ask) {
    const bySchool = [...Map.groupBy(events, ({ stream }) => schoolOf(stream))];
    await rows.trees.load(bySchool.map(([school_id]) => ({ school_id })));
    const grown = bySchool.map(([school, ofSchool]) => {
      const row = rows.trees.get({ school_id: school });
      return { school, events: ofSchool, tree: new Tree(row?.size, row?.edge) };
    });
    const signed = await signedRoots(ask, grown);
    for (const { school, events: ofSchool, tree } of grown) {
      for (const event of ofSchool) {
        const hash = leafHash(event);
        rows.leaves.add({ school_id: school, number: tree.size, event_id: event.id, hash });
        tree.append(hash);
        for (const root of signed.get(`${school} ${tree.size}`) ?? []) if (root !== tree.root()) throw new LogChanged(school, tree.size);
      }
      rows.trees.put({ school_id: school, size: tree.size, edge: tree.edge, root: tree.root() });
    }
  },
});

/** The log does not match a signed head. */
class LogChanged extends Error {
  override readonly name = 'LogChanged';
  constructor(school: string, size: number) {
    super(
      `the log of school ${school} was changed: its first ${size} events do not match the head that was signed at that size ` +
        '(to find the change: marktrail log verify; to continue after a restore: marktrail log accept)',
    );
  }
}

type Grown = { readonly school: string; readonly events: readonly RecordedEvent[]; readonly tree: Tree };

/** Roots of the signed heads at the sizes that these trees are about to reach, by `school size`. */
const signedRoots = async (ask: Ask, grown: readonly Grown[]): Promise<ReadonlyMap<string, readonly string[]>> => {
  const heads = await ask<{ school: string; size: number; root: string }>(
    `select h.school_id as school, h.size, h.root
       from unnest($1::uuid[], $2::int[], $3::int[]) as grown (school_id, size, more)
       join proof.standing_heads h on h.school_id = grown.school_id and h.size > grown.size and h.size <= grown.size + grown.more`,
    [grown.map(({ school }) => school), grown.map(({ tree }) => tree.size), grown.map((one) => one.events.length)],
  );
  const roots = new Map<string, string[]>();
  for (const { school, size, root } of heads) roots.set(`${school} ${size}`, [...(roots.get(`${school} ${size}`) ?? []), root]);
  return roots;
};
