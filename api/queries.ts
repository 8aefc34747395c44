import { classHome } from './analysis/class-home.query.ts';
import { predictorQuestions, progressPredictors } from './analysis/predictors.query.ts';
import { questionAnalysis, questionStudents } from './analysis/question-analysis.query.ts';
import { leaderDashboard } from './analysis/averages/leader-dashboard.query.ts';
import { historicTotals } from './analysis/averages/historic-totals.query.ts';
import { residuals } from './analysis/averages/residuals.query.ts';
import { assessment, questions } from './assessments/assessment.query.ts';
import { cell } from './marks/cell.query.ts';
import { exportChoices, exportResults, exportStudentList, exportStudents, exportTotals } from './marks/export.query.ts';
import { historyEntry } from './history/history-entry.query.ts';
import { history } from './history/history.query.ts';
import { recentChanges } from './history/recent-changes.query.ts';
import { replay } from './history/replay/replay.query.ts';
import { mapped, mappings } from './assessments/mapping/mappings.query.ts';
import { markbook } from './marks/markbook.query.ts';
import { me } from './accounts/me.query.ts';
import { previewPrior, priorScores, priorSummary, priorUploads } from './prior/prior.query.ts';
import { previewMarks, previewTotals } from './marks/upload/preview.query.ts';
import { matchStudents } from './students/match-students.query.ts';
import { previewStudents } from './students/preview-students.query.ts';
import { uploadClasses } from './marks/upload/upload-classes.query.ts';
import type { AnyQuery } from './common/query.ts';
import { studentsToView } from './students/students-to-view.query.ts';
import { revisionList, revisionLists } from './revision-lists/revision-lists.query.ts';
import { satOn } from './school/sets/sat-on.query.ts';
import { sheet } from './marks/sheet.query.ts';
import { previewSchoolYear } from './school/school-year/school-year.query.ts';
import { waiting } from './school/waiting.query.ts';
import { structure } from './school/structure.query.ts';
import { submission, toSubmit } from './marks/submissions/submission.query.ts';
import { studentCard } from './analysis/student/card.query.ts';
import { gradeGraph } from './analysis/student/graph.query.ts';
import { studentHome } from './analysis/student/home.query.ts';
import { studentTasks } from './analysis/student/tasks.query.ts';
import { studentTopics } from './analysis/student/topics.query.ts';
import { myData } from './accounts/my-data.query.ts';
import { tracker } from './marks/submissions/tracker.query.ts';
import { teachersToView } from './school/teachers/teachers-to-view.query.ts';
import { rankingPreview } from './tasks/ranking/ranking-preview.query.ts';
import { gradeProfiles } from './tasks/grades/grade-profiles.query.ts';
import { enteredTotals } from './tasks/entered-totals.query.ts';
import { taskGrades } from './tasks/grades/task-grades.query.ts';
import { taskRanking } from './tasks/ranking/task-ranking.query.ts';
import { taskScore } from './tasks/ranking/task-score.query.ts';
import { task } from './tasks/task.query.ts';
import { tasks } from './tasks/tasks.query.ts';
import { uploads } from './marks/upload/uploads.query.ts';
import type { Answer } from './contract/answer.ts';
import type { QueryCalls } from './contracts.ts';
import type { QueryBus } from './pipeline/query-bus.ts';

/** Every question by its name in the path. */
export const queries = {
  me,
  'students-to-view': studentsToView,
  'teachers-to-view': teachersToView,
  structure,
  waiting,
  questions,
  assessment,
  mappings,
  mapped,
  'export-students': exportStudents,
  'export-results': exportResults,
  'export-choices': exportChoices,
  'export-student-list': exportStudentList,
  'export-totals': exportTotals,
  'match-students': matchStudents,
  'upload-classes': uploadClasses,
  'preview-totals': previewTotals,
  'preview-marks': previewMarks,
  'preview-students': previewStudents,
  'preview-school-year': previewSchoolYear,
  markbook,
  cell,
  sheet,
  'sat-on': satOn,
  submission,
  'to-submit': toSubmit,
  'student-home': studentHome,
  'student-card': studentCard,
  'student-topics': studentTopics,
  'grade-graph': gradeGraph,
  'student-tasks': studentTasks,
  'my-data': myData,
  tracker,
  uploads,
  'prior-summary': priorSummary,
  'prior-scores': priorScores,
  'prior-uploads': priorUploads,
  'preview-prior': previewPrior,
  'grade-profiles': gradeProfiles,
  tasks,
  task,
  'task-ranking': taskRanking,
  'task-score': taskScore,
  'task-grades': taskGrades,
  'entered-totals': enteredTotals,
  'ranking-preview': rankingPreview,
  'class-home': classHome,
  'progress-predictors': progressPredictors,
  'predictor-questions': predictorQuestions,
  'question-analysis': questionAnalysis,
  'question-students': questionStudents,
  'revision-lists': revisionLists,
  'revision-list': revisionList,
  'leader-dashboard': leaderDashboard,
  'historic-totals': historicTotals,
  residuals,
  history,
  replay,
  'history-entry': historyEntry,
  'recent-changes': recentChanges,
} satisfies Record<keyof QueryCalls, AnyQuery>;

export type QueryName = keyof typeof queries;
export const isQueryName = (name: string): name is QueryName => Object.hasOwn(queries, name);

/** What asks them. */
export type Queries = QueryBus<{ readonly [Name in QueryName]: Answer<QueryCalls[Name]['answer']> }>;
