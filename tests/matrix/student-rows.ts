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
