/** What may be asked and told, by name: the contract's requests and answers, as one table of types. */
import type {
  CellHistory,
  decideMark,
  enterMarks,
  Markbook,
  marksFile,
  MarksEnteredAnswer,
  RecentUploads,
  totalsFile,
  undoCommand,
  UploadClasses,
  Uploaded,
  UploadPreview,
  uploadMarks,
  uploadStudents,
  uploadTotals,
} from '#contract/marks';
import type { Me, Structure } from '#contract/structure';
import type { z } from 'zod';

/** GET /api/queries/{name}?... */
export type Questions = {
  readonly me: { readonly ask: Readonly<Record<string, never>>; readonly answer: Me };
  readonly structure: { readonly ask: { readonly subjectId: string }; readonly answer: Structure };
  readonly uploads: { readonly ask: { readonly subjectId: string }; readonly answer: RecentUploads };
  readonly markbook: { readonly ask: { readonly yearGroupId: string }; readonly answer: Markbook };
  readonly cell: {
    readonly ask: { readonly testId: string; readonly studentId: string; readonly questionId?: string; readonly attendance?: 'true' };
    readonly answer: CellHistory;
  };
};

/** POST /api/queries/{name}: the question is too long for an address. */
export type LongQuestions = {
  readonly 'upload-classes': { readonly ask: z.input<typeof uploadStudents>; readonly answer: UploadClasses };
  readonly 'preview-totals': { readonly ask: z.input<typeof totalsFile>; readonly answer: UploadPreview };
  readonly 'preview-marks': { readonly ask: z.input<typeof marksFile>; readonly answer: UploadPreview };
};

/** POST /api/commands/{name} */
export type Commands = {
  readonly UploadTotals: { readonly input: z.input<typeof uploadTotals>; readonly result: Uploaded };
  readonly UploadMarks: { readonly input: z.input<typeof uploadMarks>; readonly result: Uploaded };
  readonly EnterMarks: { readonly input: z.input<typeof enterMarks>; readonly result: MarksEnteredAnswer };
  readonly DecideMark: { readonly input: z.input<typeof decideMark>; readonly result: unknown };
  readonly UndoCommand: { readonly input: z.input<typeof undoCommand>; readonly result: unknown };
  readonly RedoCommand: { readonly input: z.input<typeof undoCommand>; readonly result: unknown };
};
