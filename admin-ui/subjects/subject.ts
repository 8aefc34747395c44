import type { RaRecord } from 'react-admin';
import { counted } from '../format.ts';

/** A record of /api/rest/subjects. */
export type Subject = RaRecord<string> & {
  readonly name: string;
  readonly yearGroups: number;
  readonly sets: number;
  readonly teachers: number;
  readonly schemes: number;
  readonly assessments: number;
  readonly students: number;
  readonly schemesWithTopics: boolean;
  readonly assessmentsWithQuestions: boolean;
  /** Assessments that have questions. */
  readonly setsWithAssessments: boolean;
  readonly teachersWithClasses: boolean;
  readonly holdsMarks: boolean;
};

/** What a subject contains, in words; zeros are left out. */
export const contentsOf = ({ yearGroups, sets, teachers, schemes, assessments, students }: Subject): readonly string[] =>
  [
    { count: yearGroups, text: counted(yearGroups, 'year group') },
    { count: sets, text: counted(sets, 'set') },
    { count: students, text: counted(students, 'student') },
    { count: teachers, text: counted(teachers, 'teacher') },
    { count: schemes, text: counted(schemes, 'scheme of work', 'schemes of work') },
    { count: assessments, text: counted(assessments, 'assessment') },
  ]
    .filter(({ count }) => count > 0)
    .map(({ text }) => text);
