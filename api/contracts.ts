/** Every query, command and record that the API answers from its tables, by name. Pages take the types of them. */
import { handOutCommands } from './contract/hand-outs.ts';
import { accountCommands, accountQueries, accountRecords } from './accounts/accounts.contract.ts';
import { analysisQueries } from './analysis/analysis.contract.ts';
import { testQueries } from './analysis/tests.contract.ts';
import { studentQueries } from './analysis/student/student.contract.ts';
import { myDataQueries } from './accounts/my-data.contract.ts';
import { assessmentCommands, assessmentQueries, assessmentRecords } from './assessments/assessments.contract.ts';
import { historyQueries } from './history/history.contract.ts';
import { replayQueries } from './history/replay/replay.contract.ts';
import { mappingCommands, mappingQueries } from './assessments/mapping/mapping.contract.ts';
import { revisionListsCommands, revisionListsQueries } from './revision-lists/revision-lists.contract.ts';
import { exportQueries } from './marks/export.contract.ts';
import { marksCommands, marksQueries } from './marks/marks.contract.ts';
import { sheetQueries } from './marks/sheet.contract.ts';
import { priorCommands, priorQueries } from './prior/prior.contract.ts';
import { enteredTotalsQueries } from './tasks/entered-totals.contract.ts';
import { recordedCommands } from './tasks/ranking/recorded-ranking.contract.ts';
import { rankingQueries } from './tasks/ranking/ranking-preview.contract.ts';
import { rosterCommands, rosterQueries, rosterRecords } from './students/students.contract.ts';
import { setsCommands, setsQueries, setsRecords } from './school/sets/sets.contract.ts';
import { schoolYearCommands, schoolYearQueries } from './school/school-year/school-year.contract.ts';
import { schoolCommands, structureCommands, structureQueries, structureRecords } from './school/school.contract.ts';
import { waitingQueries } from './school/waiting.contract.ts';
import { feedbackTaskCommands } from './tasks/feedback-task.contract.ts';
import { taskGradesQueries } from './tasks/grades/task-grades.contract.ts';
import { taskRankingQueries } from './tasks/ranking/task-ranking.contract.ts';
import { taskQueries } from './tasks/task.contract.ts';
import { tasksCommands, tasksQueries } from './tasks/grades/grade-profile.contract.ts';
import { submissionCommands, submissionQueries } from './marks/submissions/submissions.contract.ts';
import { uploadsCommands, uploadsQueries } from './marks/upload/uploads.contract.ts';
import type { CommandCall, QueryCall } from './contract/answer.ts';

export const queryCalls = {
  ...accountQueries,
  ...structureQueries,
  ...schoolYearQueries,
  ...waitingQueries,
  ...assessmentQueries,
  ...mappingQueries,
  ...exportQueries,
  ...uploadsQueries,
  ...rosterQueries,
  ...setsQueries,
  ...marksQueries,
  ...sheetQueries,
  ...priorQueries,
  ...tasksQueries,
  ...taskQueries,
  ...taskRankingQueries,
  ...taskGradesQueries,
  ...enteredTotalsQueries,
  ...rankingQueries,
  ...submissionQueries,
  ...analysisQueries,
  ...testQueries,
  ...revisionListsQueries,
  ...studentQueries,
  ...myDataQueries,
  ...historyQueries,
  ...replayQueries,
} satisfies Record<string, QueryCall>;

export const commandCalls = {
  ...schoolCommands,
  ...accountCommands,
  ...handOutCommands,
  ...structureCommands,
  ...schoolYearCommands,
  ...setsCommands,
  ...assessmentCommands,
  ...mappingCommands,
  ...rosterCommands,
  ...uploadsCommands,
  ...marksCommands,
  ...priorCommands,
  ...tasksCommands,
  ...feedbackTaskCommands,
  ...recordedCommands,
  ...submissionCommands,
  ...revisionListsCommands,
} satisfies Record<string, CommandCall>;

export const records = { ...structureRecords, ...setsRecords, ...assessmentRecords, ...rosterRecords, ...accountRecords };

export type QueryCalls = typeof queryCalls;
export type CommandCalls = typeof commandCalls;
export type Records = typeof records;
