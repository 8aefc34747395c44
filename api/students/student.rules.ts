/** Decisions about one student, shared by several commands. */
import type { Roster, RosterEvent, StudentPerson } from '../../events/students/roster.ts';
import { detailsOf, OFF_ROLL } from '../../events/students/roster.ts';
import type { SetFacts } from './students.facts.ts';
import type { Context, Refused } from '../common/command.ts';
import { refuse, refuseInput } from '../common/command.ts';

export const NO_SET = 'There is no such set.';
const NO_STUDENT = 'There is no such student in this subject.';
const FORGOTTEN = 'This student was forgotten: nobody knows any more who it is.';

type Details = Pick<StudentPerson, 'admissionNo' | 'name' | 'dateOfBirth'>;

/** The events that give a student these details. */
export const corrected = (
  studentId: string,
  details: Details,
  { students, byTag }: Pick<Roster, 'students' | 'byTag'>,
  tag: Context['tag'],
): readonly RosterEvent[] | Refused => {
  const student = students.get(studentId);
  if (!student) return refuse('not-found', 'There is no such student.');
  if (student.forgotten) return refuse('refused', FORGOTTEN);
  const idTag = tag('admission-number', details.admissionNo);
  const holder = byTag.get(idTag);
  if (holder !== undefined && holder !== studentId) return refuseInput('admissionNo', 'Student ID must be Unique');
  const person = { ...details, tag: idTag };
  const { person: now } = student;
  const same = now?.tag === idTag && now.admissionNo === person.admissionNo && detailsOf(now) === detailsOf(person);
  return same ? [] : [{ type: 'StudentCorrected', data: { studentId, person } }];
};

export type Place = { readonly setId: string } | 'off-roll' | 'removed';

/** The events that put a student in this place of the subject. */
export const placed = (
  { subjectId, studentId, place }: { readonly subjectId: string; readonly studentId: string; readonly place: Place },
  { students }: Pick<Roster, 'students'>,
  known: SetFacts,
): readonly RosterEvent[] | Refused => {
  const student = students.get(studentId);
  if (!student) return refuse('not-found', 'There is no such student.');
  const now = student.enrolments.get(subjectId);
  if (place === 'removed') return now === undefined ? [] : [{ type: 'StudentRemoved', data: { studentId, subjectId } }];
  if (place === 'off-roll') {
    if (now === undefined) return refuse('not-found', NO_STUDENT);
    return now === OFF_ROLL ? [] : [{ type: 'StudentTakenOffRoll', data: { studentId, subjectId } }];
  }
  const { setId } = place;
  if (!hasSet(known, setId)) return refuseInput('setId', NO_SET);
  if (now === setId) return [];
  return [{ type: now === undefined ? 'StudentEnrolled' : 'StudentMoved', data: { studentId, subjectId, setId } }];
};

export const hasSet = ({ sets }: SetFacts, setId: string): boolean => sets.some((set) => set.setId === setId);
