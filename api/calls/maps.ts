import { z } from 'zod';
import { id } from '../contract/fields.ts';
import type { Task } from '../tasks/task.contract.ts';
import { feedbackMapId } from './ids.ts';

/** What classes sit for feedback tasks, by the documented names. */
export const status = z.int().describe('0 to 6.');
export const mapRow = z.object({
  FeedbackMapID: id,
  TaskID: id,
  SetID: id,
  SetName: z.string(),
  TestID: id,
  TestName: z.string(),
  Status: status,
  TeacherID: id.nullable().describe('The first teacher of the class, by name. null: none.'),
  Totals: z.int().describe('How many students of the class have a total of staff.'),
  AllStudents: z.int().describe('How many are in the class.'),
  MaxMark: z.int().nullable().describe('null: no questions yet.'),
});

/** A row for each assessment of each class. */
export const mapsOf = (TaskID: string, sets: Task['sets']) =>
  sets.flatMap(({ setId: SetID, name: SetName, students: AllStudents, tests, teachers }) =>
    tests.map(({ testId: TestID, name: TestName, status: Status, entered: Totals, max: MaxMark }) => ({
      FeedbackMapID: feedbackMapId(TaskID, SetID, TestID),
      TaskID,
      SetID,
      SetName,
      TestID,
      TestName,
      Status,
      TeacherID: teachers[0]?.teacherId ?? null,
      Totals,
      AllStudents,
      MaxMark,
    })),
  );
