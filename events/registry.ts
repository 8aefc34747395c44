import { accountEvents } from './accounts/account.ts';
import { assessmentEvents } from './assessments/assessment.ts';
import type { EventOf, ReadEventOf, Recorded } from './codec/event.ts';
import { registry } from './codec/event.ts';
import { entryEvents } from './marks/entry.ts';
import { joinCodeEvents } from './accounts/join-code.ts';
import { lookEvents } from './accounts/view-as.ts';
import { mappingEvents } from './assessments/mapping.ts';
import { priorEvents } from './prior/prior.ts';
import { rosterEvents } from './students/roster.ts';
import { revisionListsEvents } from './revision-lists/revision-lists.ts';
import { schemeEvents } from './school/scheme.ts';
import { schoolEvents } from './school/school.ts';
import { staffEvents } from './accounts/staff.ts';
import { subjectEvents } from './school/subject.ts';
import { feedbackTaskEvents } from './tasks/feedback-task.ts';
import { gradeProfileEvents } from './tasks/grade-profile.ts';
import { submissionEvents } from './marks/submission.ts';
import { undoEvents } from './marks/undo.ts';

/** Every type of event that the log may hold. */
export const eventTypes = registry(
  schoolEvents,
  staffEvents,
  accountEvents,
  joinCodeEvents,
  lookEvents,
  subjectEvents,
  schemeEvents,
  mappingEvents,
  rosterEvents,
  assessmentEvents,
  entryEvents,
  undoEvents,
  priorEvents,
  gradeProfileEvents,
  feedbackTaskEvents,
  submissionEvents,
  revisionListsEvents,
);

export type MarktrailEvent = EventOf<typeof eventTypes>;
export type MarktrailReadEvent = ReadEventOf<typeof eventTypes>;
export type RecordedEvent = Recorded<MarktrailReadEvent>;
