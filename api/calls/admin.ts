import { linkTables } from './admin/link-tables.ts';
import { paperReads } from './admin/paper-reads.ts';
import { paperTables } from './admin/paper-tables.ts';
import { revisionTables } from './admin/revision-tables.ts';
import { structureReads } from './admin/structure-reads.ts';
import { structureTables } from './admin/structure-tables.ts';
import { studentReads } from './admin/student-reads.ts';
import { studentTables } from './admin/student-tables.ts';
import { writesOf } from './tables.ts';

const { post, put, delete: remove } = writesOf({ ...structureTables, ...paperTables, ...studentTables, ...linkTables, ...revisionTables });

/** The administration: reads by number, and the writes of its tables. */
export const adminCalls = {
  ...structureReads,
  ...paperReads,
  ...studentReads,
  'POST /admin': post,
  'PUT /admin/{id}': put,
  'DELETE /admin/{id}': remove,
};
