import type { Resource } from './resource.ts';
import { assessments } from './resources/assessments.ts';
import { deleted } from './resources/deleted.ts';
import { schemes } from './resources/schemes.ts';
import { sets } from './resources/sets.ts';
import { staffUsers } from './resources/staff-users.ts';
import { studentUsers } from './resources/student-users.ts';
import { students } from './resources/students.ts';
import { subjects } from './resources/subjects.ts';
import { teachers } from './resources/teachers.ts';
import { terminalExams } from './resources/terminal-exams.ts';
import { yearGroups } from './resources/year-groups.ts';

/** Every resource by its name in the path, in the order of the administration's menu. */
export const resources = {
  subjects,
  schemes,
  assessments,
  yearGroups,
  sets,
  terminalExams,
  teachers,
  students,
  staffUsers,
  studentUsers,
  deleted,
} satisfies Record<string, Resource>;

export type ResourceName = keyof typeof resources;
export const isResourceName = (name: string): name is ResourceName => Object.hasOwn(resources, name);
