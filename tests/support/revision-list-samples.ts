type About = {
  readonly subjectId: string;
  readonly testId: string;
  readonly questionId: string | undefined;
  /** a topic header, and the command that added it */
  readonly headerId: string;
  readonly commandId: string;
  readonly fresh: string;
};

/** A request for every command of revision lists. */
export const revisionListSamples = ({ subjectId, testId, questionId, headerId, commandId, fresh }: About) => ({
  SaveRevisionList: { subjectId, testId, questions: [{ questionId, headerId, text: fresh }] },
  ClearRevisionList: { subjectId, testId },
  AddRevisionHeader: { subjectId, name: fresh },
  RenameRevisionHeader: { subjectId, headerId, name: fresh },
  RestoreRevisionHeader: { subjectId, headerId },
  OrderRevisionHeaders: { subjectId, headerIds: [headerId] },
  DeleteRevisionHeader: { subjectId, headerId },
  UndoRevisionChange: { subjectId, commandId },
  RedoRevisionChange: { subjectId, commandId },
});
