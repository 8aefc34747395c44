import * as account from './account.ts';
import * as assessment from './assessment.ts';
import type { AnyCommand } from './command.ts';
import { UploadMarks, UploadTotals } from './entry-uploads.ts';
import { DecideMark, EnterMarks } from './entry.ts';
import { ImportStudents } from './import.ts';
import * as joincode from './joincode.ts';
import * as look from './look.ts';
import * as mapping from './mapping.ts';
import * as rosterChanges from './roster-changes.ts';
import * as roster from './roster.ts';
import * as scheme from './scheme.ts';
import * as school from './school.ts';
import * as sets from './sets.ts';
import * as staff from './staff.ts';
import * as subject from './subject.ts';
import * as teacher from './teacher.ts';
import * as terminalExam from './terminal-exam.ts';
import * as undo from './undo.ts';
import * as yearGroup from './year-group.ts';

/** Every command by its name. */
export const commands = {
  ...school,
  ...staff,
  ...account,
  ...joincode,
  ...look,
  ...subject,
  ...yearGroup,
  ...sets,
  ...teacher,
  ...terminalExam,
  ...scheme,
  ...mapping,
  ...roster,
  ...rosterChanges,
  ImportStudents,
  ...assessment,
  UploadTotals,
  UploadMarks,
  EnterMarks,
  DecideMark,
  ...undo,
} satisfies Record<string, AnyCommand>;

export type CommandName = keyof typeof commands;
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);
