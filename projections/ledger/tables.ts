import { json, table } from '../engine/tables/table.ts';

/** A school's tree: as much of it as appending needs. */
export const ledgerTrees = table('ledger_trees', {
  key: {},
  columns: {
    /** events of the school */
    size: 'int4',
    /** see `Tree.edge` */
    edge: json<readonly string[]>(),
    root: 'text',
  },
});

/** Which event stands where in a school's tree, so that a change can be named. */
export const ledgerLeaves = table('ledger_leaves', {
  /** from 0, in commit order */
  key: { number: 'int4' },
  columns: { event_id: 'uuid', hash: 'text' },
});
