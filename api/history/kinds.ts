import { accountEvents } from '../../events/accounts/account.ts';
import { joinCodeEvents } from '../../events/accounts/join-code.ts';
import { staffEvents } from '../../events/accounts/staff.ts';
import { lookEvents } from '../../events/accounts/view-as.ts';
import { assessmentEvents } from '../../events/assessments/assessment.ts';
import { mappingEvents } from '../../events/assessments/mapping.ts';
import { entryEvents } from '../../events/marks/entry.ts';
import { submissionEvents } from '../../events/marks/submission.ts';
import { undoEvents } from '../../events/marks/undo.ts';
import { priorEvents } from '../../events/prior/prior.ts';
import { revisionListsEvents } from '../../events/revision-lists/revision-lists.ts';
import { schemeEvents } from '../../events/school/scheme.ts';
import { schoolEvents } from '../../events/school/school.ts';
import { subjectEvents } from '../../events/school/subject.ts';
import { rosterEvents } from '../../events/students/roster.ts';
import { feedbackTaskEvents } from '../../events/tasks/feedback-task.ts';
import { gradeProfileEvents } from '../../events/tasks/grade-profile.ts';
import type { RecordKind } from './history.contract.ts';

const types = (...registries: readonly object[]): readonly string[] => registries.flatMap((registry) => Object.keys(registry));

/** The types of event of each kind. */
export const typesOfKind: Readonly<Record<RecordKind, readonly string[]>> = {
  marks: types(entryEvents, undoEvents, submissionEvents),
  tasks: types(feedbackTaskEvents, gradeProfileEvents),
  prior: types(priorEvents),
  students: types(rosterEvents),
  assessments: types(assessmentEvents, mappingEvents),
  lists: types(revisionListsEvents),
  structure: types(schoolEvents, subjectEvents, schemeEvents),
  accounts: types(staffEvents, accountEvents, joinCodeEvents),
  looks: types(lookEvents),
};
