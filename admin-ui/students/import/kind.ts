import type { StudentRow } from '#api/students/students-file.contract';
import { studentsTemplate } from '#api/students/students-file.contract';
import type { Kind } from '../../../ui/file/brought/brought.ts';

/** A list of students, each with their set. */
export const studentsKind: Kind<{ readonly rows: readonly StudentRow[] }> = {
  template: studentsTemplate,
  people: ['id', 'name', 'set', 'birth'],
  target: { roles: ['id', 'name', 'first-last', 'surname', 'first', 'set', 'birth'], values: [] },
};
