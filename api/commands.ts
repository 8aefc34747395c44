import * as account from './accounts/student-account.commands.ts';
import { SaveQuestions } from './assessments/some-questions.commands.ts';
import * as assessment from './assessments/assessment.commands.ts';
import type { AnyCommand } from './common/command.ts';
import { UploadMarks, UploadTotals } from './marks/upload/uploads.commands.ts';
import { DecideMark, EnterMarks } from './marks/entry.commands.ts';
import { ImportStudents } from './students/import.commands.ts';
import {
  AddTaskMap,
  CreateFeedbackTask,
  DeleteFeedbackTask,
  EditFeedbackTask,
  OpenFeedbackTask,
  RestoreFeedbackTask,
} from './tasks/feedback-task.commands.ts';
import * as recordedRanking from './tasks/ranking/recorded-ranking.commands.ts';
import * as gradeProfile from './tasks/grades/grade-profile.commands.ts';
import * as joincode from './accounts/join-code.commands.ts';
import * as handOuts from './accounts/hand-outs.commands.ts';
import * as look from './accounts/view-as.commands.ts';
import * as mapping from './assessments/mapping/mapping.commands.ts';
import * as prior from './prior/prior.commands.ts';
import * as revisionLists from './revision-lists/revision-lists.commands.ts';
import * as revisionUndo from './revision-lists/undo.commands.ts';
import * as rosterChanges from './students/roster-changes.commands.ts';
import * as roster from './students/roster.commands.ts';
import { BeginSchoolYear } from './school/school-year/school-year.commands.ts';
import * as scheme from './school/scheme.commands.ts';
import * as school from './school/school.commands.ts';
import * as sets from './school/sets/sets.commands.ts';
import * as staff from './accounts/staff.commands.ts';
import * as submission from './marks/submissions/submission.commands.ts';
import * as subject from './school/subject.commands.ts';
import * as taskSteps from './tasks/task-steps.commands.ts';
import * as teacher from './school/teachers/teacher.commands.ts';
import * as terminalExam from './school/terminal-exam.commands.ts';
import * as undo from './marks/undo.commands.ts';
import * as yearGroup from './school/year-group.commands.ts';
import type { CommandCalls } from './contracts.ts';
import type { Around, CommandBus, Handlers } from './pipeline/command-bus.ts';
import type { Pipeline, Request } from './pipeline/pipeline.ts';

/** Every command by its name. */
export const commands = {
  ...school,
  ...staff,
  ...account,
  ...joincode,
  ...look,
  ...handOuts,
  ...subject,
  ...yearGroup,
  BeginSchoolYear,
  ...sets,
  ...teacher,
  ...terminalExam,
  ...scheme,
  ...mapping,
  ...roster,
  ...rosterChanges,
  ImportStudents,
  ...assessment,
  SaveQuestions,
  UploadTotals,
  UploadMarks,
  EnterMarks,
  DecideMark,
  ...submission,
  ...undo,
  ...prior,
  ...gradeProfile,
  CreateFeedbackTask,
  OpenFeedbackTask,
  AddTaskMap,
  EditFeedbackTask,
  DeleteFeedbackTask,
  RestoreFeedbackTask,
  ...recordedRanking,
  ...taskSteps,
  ...revisionLists,
  ...revisionUndo,
} satisfies Record<keyof CommandCalls, AnyCommand>;

export type CommandName = keyof typeof commands;
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** What executes them, and what handlers and HTTP are given of it. `BusRequest`: see `CommandBus`. */
export type CommandPipeline = Pipeline<CommandName>;
export type Commands<BusRequest extends Request = Request> = Pick<CommandBus<CommandName, BusRequest>, 'authorise' | 'execute'>;
export type CommandHandlers<BusRequest extends Request = Request> = Handlers<CommandName, BusRequest>;
export type AroundCommands = Around<CommandName>;
