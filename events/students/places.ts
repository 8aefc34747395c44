import type { ReadEventOf } from '../codec/event.ts';
import type { rosterEvents } from './roster.ts';

export type RosterEvent = ReadEventOf<typeof rosterEvents>;
/** Where a student is in a subject from now on. */
export type Place = { subjectId: string; studentId: string; setId: string | null; state: 'set' | 'off-roll' | 'removed' };

/** The places that an event gives to students, in its order. */
export const placesIn = ({ type, data }: RosterEvent): Place[] => {
  switch (type) {
    case 'StudentsImported':
      return listed(data, [...data.added, ...data.enrolled, ...data.moved]);
    case 'RosterCommandUndone':
      return listed(data, data.placed);
    case 'StudentAdded':
    case 'StudentEnrolled':
    case 'StudentMoved':
      return [{ subjectId: data.subjectId, studentId: data.studentId, setId: data.setId, state: 'set' }];
    case 'StudentTakenOffRoll':
      return [{ subjectId: data.subjectId, studentId: data.studentId, setId: null, state: 'off-roll' }];
    case 'StudentRemoved':
      return [{ subjectId: data.subjectId, studentId: data.studentId, setId: null, state: 'removed' }];
    case 'StudentCorrected':
    case 'StudentForgotten':
      return [];
  }
};

type Listed = { subjectId: string; offRolled: readonly string[]; removed: readonly string[] };

const listed = ({ subjectId, offRolled, removed }: Listed, placed: readonly { studentId: string; setId: string }[]): Place[] => [
  ...placed.map(({ studentId, setId }) => ({ subjectId, studentId, setId, state: 'set' as const })),
  ...offRolled.map((studentId) => ({ subjectId, studentId, setId: null, state: 'off-roll' as const })),
  ...removed.map((studentId) => ({ subjectId, studentId, setId: null, state: 'removed' as const })),
];
