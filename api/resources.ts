import type { Resource } from './common/resource.ts';
import type { Lists } from './pipeline/lists.ts';
import { assessments } from './assessments/assessments.resource.ts';
import { deleted } from './school/deleted.resource.ts';
import { removedStudents } from './students/removed-students.resource.ts';
import { schemes } from './school/schemes.resource.ts';
import { sets } from './school/sets/sets.resource.ts';
import { staffUsers } from './accounts/staff-users.resource.ts';
import { studentUsers } from './accounts/student-users.resource.ts';
import { students } from './students/students.resource.ts';
import { subjects } from './school/subjects.resource.ts';
import { teachers } from './school/teachers/teachers.resource.ts';
import { terminalExams } from './school/terminal-exams.resource.ts';
import { yearGroups } from './school/year-groups.resource.ts';
import type { CommandCalls, Records } from './contracts.ts';

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
  removedStudents,
  staffUsers,
  studentUsers,
  deleted,
} satisfies Record<keyof Records, AnyResource>;

export type ResourceName = keyof typeof resources;
export const isResourceName = (name: string): name is ResourceName => Object.hasOwn(resources, name);
export type OurLists = Lists<ResourceName, AnyResource>;
export type AnyResource = Resource<keyof CommandCalls>;
