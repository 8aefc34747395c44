/** Request and answer types of every query and command of the contract, by name. */
import type {
  CellHistory,
  decideMark,
  enterMarks,
  Markbook,
  MarksEnteredAnswer,
  Turned,
  redoCommand,
  undoCommand,
} from '#api/marks/marks.contract';
import type {
  marksFile,
  RecentUploads,
  totalsFile,
  UploadClasses,
  Uploaded,
  UploadPreview,
  uploadMarks,
  uploadsAsked,
  uploadStudents,
  uploadTotals,
} from '#api/uploads/uploads.contract';
import type { changeJoinDomain, inviteStaff, inviteStaffAgain, issueJoinCode, resetStudentAccount, StudentReset } from '#api/contract/door';
import type { ExportTable } from '#api/marks/export.contract';
import type {
  allocatePrerequisites,
  Mapped,
  Mappings,
  mapQuestions,
  mapSchemeTopics,
  replaceTopicTree,
} from '#api/mapping/mapping.contract';
import type {
  addStudent,
  changeStudents,
  ImportCounts,
  ImportPreview,
  importStudents,
  undoRosterChange,
} from '#api/roster/roster.contract';
import type { addSets, deleteSet, deleteSets, removeTeacher } from '#api/sets/sets.contract';
import type {
  addTerminalExam,
  addYearGroup,
  deleteScheme,
  deleteYearGroup,
  openStructureToLeaders,
  removeSubject,
  removeTerminalExam,
  Structure,
} from '#api/structure/structure.contract';
import type {
  AssessmentContents,
  deleteAssessment,
  editQuestions,
  showAssessment,
  undoQuestions,
  uploadQuestions,
} from '#api/assessments/assessments.contract';
import type { Me, StudentsToView } from '#api/accounts/accounts.contract';
import type { z } from 'zod';

/** GET /api/queries/{name}?... */
export type Questions = {
  readonly me: { readonly ask: Readonly<Record<string, never>>; readonly answer: Me };
  readonly 'students-to-view': { readonly ask: { readonly find?: string }; readonly answer: StudentsToView };
  readonly structure: { readonly ask: { readonly subjectId: string }; readonly answer: Structure };
  readonly mappings: { readonly ask: { readonly subjectId: string }; readonly answer: Mappings };
  readonly mapped: { readonly ask: { readonly subjectId: string }; readonly answer: Mapped };
  readonly 'export-students': { readonly ask: { readonly yearGroupId: string }; readonly answer: ExportTable };
  readonly 'export-results': { readonly ask: { readonly testId: string }; readonly answer: ExportTable };
  readonly assessment: { readonly ask: { readonly testId: string }; readonly answer: AssessmentContents };
  readonly uploads: { readonly ask: z.input<typeof uploadsAsked>; readonly answer: RecentUploads };
  readonly markbook: { readonly ask: { readonly yearGroupId: string }; readonly answer: Markbook };
  readonly cell: {
    readonly ask: { readonly testId: string; readonly studentId: string; readonly questionId?: string; readonly attendance?: 'true' };
    readonly answer: CellHistory;
  };
};

/** POST /api/queries/{name}, for questions too long for a URL. */
export type LongQuestions = {
  readonly 'upload-classes': { readonly ask: z.input<typeof uploadStudents>; readonly answer: UploadClasses };
  readonly 'preview-totals': { readonly ask: z.input<typeof totalsFile>; readonly answer: UploadPreview };
  readonly 'preview-students': { readonly ask: z.input<typeof importStudents>; readonly answer: ImportPreview };
  readonly 'preview-marks': { readonly ask: z.input<typeof marksFile>; readonly answer: UploadPreview };
};

/** POST /api/commands/{name} */
export type Commands = {
  readonly UploadTotals: { readonly input: z.input<typeof uploadTotals>; readonly result: Uploaded };
  readonly UploadMarks: { readonly input: z.input<typeof uploadMarks>; readonly result: Uploaded };
  readonly EnterMarks: { readonly input: z.input<typeof enterMarks>; readonly result: MarksEnteredAnswer };
  readonly DecideMark: { readonly input: z.input<typeof decideMark>; readonly result: unknown };
  readonly ReplaceTopicTree: { readonly input: z.input<typeof replaceTopicTree>; readonly result: { readonly changed: boolean } };
  readonly MapSchemeTopics: { readonly input: z.input<typeof mapSchemeTopics>; readonly result: unknown };
  readonly MapQuestions: { readonly input: z.input<typeof mapQuestions>; readonly result: unknown };
  readonly AllocatePrerequisites: { readonly input: z.input<typeof allocatePrerequisites>; readonly result: unknown };
  readonly AddTerminalExam: { readonly input: z.input<typeof addTerminalExam>; readonly result: { readonly terminalExamId: string } };
  readonly RemoveTerminalExam: { readonly input: z.input<typeof removeTerminalExam>; readonly result: unknown };
  readonly RestoreTerminalExam: { readonly input: z.input<typeof removeTerminalExam>; readonly result: unknown };
  readonly UndoCommand: { readonly input: z.input<typeof undoCommand>; readonly result: Turned };
  readonly RestoreSubject: { readonly input: z.input<typeof removeSubject>; readonly result: unknown };
  readonly RestoreYearGroup: { readonly input: z.input<typeof deleteYearGroup>; readonly result: unknown };
  readonly RestoreSet: { readonly input: z.input<typeof deleteSet>; readonly result: unknown };
  readonly RestoreTeacher: { readonly input: z.input<typeof removeTeacher>; readonly result: unknown };
  readonly RestoreScheme: { readonly input: z.input<typeof deleteScheme>; readonly result: unknown };
  readonly AddYearGroup: { readonly input: z.input<typeof addYearGroup>; readonly result: { readonly yearGroupId: string } };
  readonly AddSets: { readonly input: z.input<typeof addSets>; readonly result: { readonly setIds: readonly string[] } };
  readonly DeleteSets: { readonly input: z.input<typeof deleteSets>; readonly result: unknown };
  readonly AddStudent: { readonly input: z.input<typeof addStudent>; readonly result: RosterChanged };
  readonly ChangeStudents: { readonly input: z.input<typeof changeStudents>; readonly result: RosterChanged };
  readonly ImportStudents: { readonly input: z.input<typeof importStudents>; readonly result: ImportCounts & RosterChanged };
  readonly UndoRosterChange: {
    readonly input: z.input<typeof undoRosterChange>;
    readonly result: RosterChanged & { readonly students: number };
  };
  readonly ShowAssessment: { readonly input: z.input<typeof showAssessment>; readonly result: unknown };
  readonly UploadQuestions: { readonly input: z.input<typeof uploadQuestions>; readonly result: QuestionsChanged };
  readonly EditQuestions: { readonly input: z.input<typeof editQuestions>; readonly result: QuestionsChanged };
  readonly UndoQuestions: { readonly input: z.input<typeof undoQuestions>; readonly result: unknown };
  readonly OpenStructureToLeaders: { readonly input: z.input<typeof openStructureToLeaders>; readonly result: unknown };
  readonly RestoreAssessment: { readonly input: z.input<typeof deleteAssessment>; readonly result: unknown };
  readonly InviteStaff: { readonly input: z.input<typeof inviteStaff>; readonly result: { readonly accountId: string } };
  readonly InviteStaffAgain: { readonly input: z.input<typeof inviteStaffAgain>; readonly result: unknown };
  readonly ResetStudentAccount: { readonly input: z.input<typeof resetStudentAccount>; readonly result: StudentReset };
  readonly IssueJoinCode: { readonly input: z.input<typeof issueJoinCode>; readonly result: { readonly code: string } };
  readonly ChangeJoinDomain: { readonly input: z.input<typeof changeJoinDomain>; readonly result: unknown };
  readonly RedoCommand: { readonly input: z.input<typeof redoCommand>; readonly result: Turned };
};

/** `commandId`: for undoing it. */
type RosterChanged = { readonly commandId: string };
/** `commandId`: for undoing it. */
type QuestionsChanged = { readonly changed: boolean; readonly commandId: string };
