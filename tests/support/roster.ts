import type { Happened } from './decider.ts';
import { id, tagOf } from './decider.ts';

/** A subject with two sets, and events of its students. */
export const subjectId = id('maths');
export const known = {
  sets: [
    { setId: id('11A'), name: '11A', yearGroupId: id('Year 11') },
    { setId: id('11B'), name: '11B', yearGroupId: id('Year 11') },
  ],
};
export const person = (admissionNo: string, name: string, dateOfBirth: string | null = null) => ({
  admissionNo,
  name,
  dateOfBirth,
  tag: tagOf('admission-number', admissionNo),
});
export const added = (name: string, admissionNo: string, set = '11A'): Happened => ({
  type: 'StudentAdded',
  data: { studentId: id(name), subjectId, setId: id(set), person: person(admissionNo, name) },
});
export const corrected = (name: string, ...now: Parameters<typeof person>) =>
  ({ type: 'StudentCorrected', data: { studentId: id(name), person: person(...now) } }) as const;
export const moved = (name: string, set: string) =>
  ({ type: 'StudentMoved', data: { studentId: id(name), subjectId, setId: id(set) } }) as const;
export const removed = (name: string): Happened => ({ type: 'StudentRemoved', data: { studentId: id(name), subjectId } });
export const offRoll = (name: string): Happened => ({ type: 'StudentTakenOffRoll', data: { studentId: id(name), subjectId } });
