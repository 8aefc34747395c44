import type { Row } from './row.ts';

/** Whoever teaches in a subject makes its lists; an auditor reads them; students have the list of what they sit. */
const teachers: Omit<Row, 'ask'> = { may: ['admin', 'leader', 'teacherA', 'teacherB'] };
const readers = ['admin', 'auditor', 'leader', 'teacherA', 'teacherB'] as const;

export const revisionListCommands = {
  SaveRevisionList: teachers,
  ClearRevisionList: teachers,
  AddRevisionHeader: teachers,
  RenameRevisionHeader: teachers,
  DeleteRevisionHeader: teachers,
  RestoreRevisionHeader: teachers,
  OrderRevisionHeaders: teachers,
  UndoRevisionChange: teachers,
  RedoRevisionChange: teachers,
};

export const revisionListQueries = {
  'revision-lists': { may: readers, readsYearGroup: true },
  'revision-list': { may: [...readers, 'student'], readsYearGroup: true },
} as const;
