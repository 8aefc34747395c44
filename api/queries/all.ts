import { assessment } from './assessment/assessment.ts';
import { cell } from './cell/cell.ts';
import { exportResults, exportStudents } from './export/export.ts';
import { history } from './history/history.ts';
import { mapped, mappings } from './mappings/mappings.ts';
import { markbook } from './markbook/markbook.ts';
import { me } from './me/me.ts';
import { previewMarks, previewTotals } from './preview/preview.ts';
import { previewStudents } from './preview/students.ts';
import { uploadClasses } from './preview/upload-classes.ts';
import type { AnyQuestion } from './query.ts';
import { studentsToView } from './students-to-view/students-to-view.ts';
import { structure } from './structure/structure.ts';
import { uploads } from './uploads/uploads.ts';

/** Every question by its name in the path. */
export const queries = {
  me,
  'students-to-view': studentsToView,
  structure,
  assessment,
  mappings,
  mapped,
  'export-students': exportStudents,
  'export-results': exportResults,
  'upload-classes': uploadClasses,
  'preview-totals': previewTotals,
  'preview-marks': previewMarks,
  'preview-students': previewStudents,
  markbook,
  cell,
  uploads,
  history,
} satisfies Record<string, AnyQuestion>;

export type QueryName = keyof typeof queries;
export const isQueryName = (name: string): name is QueryName => Object.hasOwn(queries, name);
