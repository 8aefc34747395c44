/** What every event of the log says in the record, and what it changed. */
import { accountSentences } from './accounts/account.sentences.ts';
import { joinCodeSentences } from './accounts/join-code.sentences.ts';
import { staffSentences } from './accounts/staff.sentences.ts';
import { lookSentences } from './accounts/view-as.sentences.ts';
import { idIn } from './aggregate.ts';
import { assessmentSentences } from './assessments/assessment.sentences.ts';
import { mappingSentences } from './assessments/mapping.sentences.ts';
import { entrySentences } from './marks/entry.sentences.ts';
import { submissionSentences } from './marks/submission.sentences.ts';
import { undoSentences } from './marks/undo.sentences.ts';
import { priorSentences } from './prior/prior.sentences.ts';
import type { eventTypes, RecordedEvent } from './registry.ts';
import { revisionListsSentences } from './revision-lists/revision-lists.sentences.ts';
import { schemeSentences } from './school/scheme.sentences.ts';
import { schoolSentences } from './school/school.sentences.ts';
import { subjectSentences } from './school/subject.sentences.ts';
import type { Change, Description, Descriptions, Sentence } from './sentence.ts';
import { rosterSentences } from './students/roster.sentences.ts';
import { feedbackTaskSentences } from './tasks/feedback-task.sentences.ts';
import { gradeProfileSentences } from './tasks/grade-profile.sentences.ts';

export const sentences: Descriptions<typeof eventTypes> = {
  ...schoolSentences,
  ...staffSentences,
  ...accountSentences,
  ...joinCodeSentences,
  ...lookSentences,
  ...subjectSentences,
  ...schemeSentences,
  ...mappingSentences,
  ...rosterSentences,
  ...assessmentSentences,
  ...entrySentences,
  ...undoSentences,
  ...priorSentences,
  ...gradeProfileSentences,
  ...feedbackTaskSentences,
  ...submissionSentences,
  ...revisionListsSentences,
};

/** @returns the sentence of an event, and what it has set */
export const describe = ({ type, stream, data, metadata }: RecordedEvent): { sentence: Sentence; changes: readonly Change[] } => {
  // The description of its type takes the data of its type, which TypeScript does not see across a union of a hundred.
  const { says, changes }: Description<never> = sentences[type];
  const event = { id: thingIn(stream), data, metadata } as never;
  return { sentence: says(event), changes: changes?.(event) ?? [] };
};

/** What follows the first `.`; without one, the school. */
const thingIn = (stream: string): string => (stream.includes('.') ? idIn(stream) : stream.slice(stream.indexOf('-') + 1));
