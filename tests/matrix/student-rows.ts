import type { Listed } from './row.ts';
import { placeId } from './world.ts';

/** What a student asks about themselves: nobody else does, unless they view as one. */
const own = { may: ['student'] } as const;

export const ofStudents = {
  submission: own,
  'to-submit': own,
  'student-home': own,
  'student-card': own,
  'student-topics': own,
  'grade-graph': own,
  'student-tasks': own,
  'my-data': own,
};

const forAdmins = { may: ['admin'] } as const;

export const listsOfStudents = {
  students: { ...forAdmins, id: ({ school: { ids } }) => placeId(ids.maths, ids.students['A1']) },
  removedStudents: {
    ...forAdmins,
    id: ({ school: { ids } }) => placeId(ids.science, ids.students['A4']),
    given: [
      'ChangeStudents',
      ({ school: { ids } }) => ({ subjectId: ids.science, changes: [{ studentId: ids.students['A4'], place: 'removed' }] }),
    ],
  },
} satisfies Record<string, Listed>;
