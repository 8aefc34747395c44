import { harmless, json, table } from '../engine/tables/table.ts';

/** The part of a school's tree that is needed for appending. */
export const ledgerTrees = table('ledger_trees', {
  key: {},
  columns: {
    /** number of the school's events */
    size: 'int4',
    /** see `Tree.edge` */
    edge: harmless(json<readonly string[]>()),
    root: harmless('text'),
  },
});

/** The event at each place of a school's tree, so that verification can name a changed one. */
export const ledgerLeaves = table('ledger_leaves', {
  /** from 0, in commit order */
  key: { number: 'int4' },
  columns: { event_id: 'uuid', hash: harmless('text') },
});
