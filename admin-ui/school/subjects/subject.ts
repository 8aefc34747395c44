import type { RecordOf } from '../../data/record.ts';
import { counted } from '../../format.ts';

/** A record of /api/rest/subjects. */
export type Subject = RecordOf<'subjects'>;

/** What a subject contains, in words; zeros are left out. */
export const contentsOf = ({ yearGroups, sets, teachers, schemes, assessments, students, offRoll }: Subject): readonly string[] =>
  [
    { count: yearGroups, text: counted(yearGroups, 'year group') },
    { count: sets, text: counted(sets, 'set') },
    { count: students, text: counted(students, 'student') },
    { count: offRoll, text: `${counted(offRoll, 'student')} off roll` },
    { count: teachers, text: counted(teachers, 'teacher') },
    { count: schemes, text: counted(schemes, 'scheme of work', 'schemes of work') },
    { count: assessments, text: counted(assessments, 'assessment') },
  ]
    .filter(({ count }) => count > 0)
    .map(({ text }) => text);
