/** Decisions about one student, shared by several commands. */
import type { Roster, RosterEvent, StudentPerson } from '../../events/students/roster.ts';
import { detailsOf, OFF_ROLL } from '../../events/students/roster.ts';
import type { SetFacts } from './students.facts.ts';
import type { Context, Refused } from '../common/command.ts';
import { refuse, refuseInput } from '../common/command.ts';
import { sameName } from '../contract/names.ts';

export const NO_SET = 'There is no such set.';
export const ID_TAKEN = 'Student ID must be unique';
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

/** The events that bring a student into a set: a new one under this id, or one whom the school knows by the StudentID. */
export const arrived = (
  newId: string,
  { subjectId, setId, ...details }: Details & { readonly subjectId: string; readonly setId: string },
  state: Pick<Roster, 'students' | 'byTag'>,
  facts: SetFacts,
  tag: Context['tag'],
): readonly RosterEvent[] | Refused => {
  if (!hasSet(facts, setId)) return refuseInput('setId', NO_SET);
  const person = { ...details, tag: tag('admission-number', details.admissionNo) };
  const holder = state.byTag.get(person.tag);
  if (holder !== undefined) return backInto(holder, { subjectId, setId, person }, state);
  return [{ type: 'StudentAdded', data: { studentId: newId, subjectId, setId, person } }];
};

/**
 * For a StudentID that the school knows but the subject does not: enrols the same person again, or refuses the id if it is somebody else's.
 * If the student is in another subject, the name must be the same and the date of birth, if known, too; if in none any more, either of them
 * is enough, and the other is corrected. A date of birth that is not known is filled in, and never emptied.
 */
const backInto = (
  studentId: string,
  { subjectId, setId, person }: { subjectId: string; setId: string; person: StudentPerson },
  { students }: Pick<Roster, 'students'>,
): readonly RosterEvent[] | Refused => {
  const student = students.get(studentId);
  const stored = student?.person;
  if (!stored || student.enrolments.has(subjectId)) return refuseInput('admissionNo', ID_TAKEN);
  const dateOfBirth = person.dateOfBirth ?? stored.dateOfBirth;
  const isNamed = stored.name === person.name;
  const isBorn = stored.dateOfBirth === dateOfBirth;
  const isTheirs =
    student.enrolments.size > 0
      ? isNamed && (isBorn || stored.dateOfBirth === null)
      : sameName(stored.name, person.name) || (isBorn && person.dateOfBirth !== null);
  if (!isTheirs) return refuseInput('admissionNo', ID_TAKEN);
  const enrolled: RosterEvent = { type: 'StudentEnrolled', data: { studentId, subjectId, setId } };
  return isNamed && isBorn ? [enrolled] : [{ type: 'StudentCorrected', data: { studentId, person: { ...person, dateOfBirth } } }, enrolled];
};

/** `back`: of who was removed, where they were last; Off-Roll if that set is gone. */
export type Place = { readonly setId: string } | 'off-roll' | 'removed' | 'back';

/** The events that put a student in this place of the subject. */
export const placed = (
  { subjectId, studentId, place }: { readonly subjectId: string; readonly studentId: string; readonly place: Place },
  { students, left }: Pick<Roster, 'students' | 'left'>,
  facts: SetFacts,
): readonly RosterEvent[] | Refused => {
  const student = students.get(studentId);
  if (!student) return refuse('not-found', 'There is no such student.');
  const now = student.enrolments.get(subjectId);
  if (place === 'removed') return now === undefined ? [] : [{ type: 'StudentRemoved', data: { studentId, subjectId } }];
  if (place === 'off-roll') {
    if (now === undefined) return refuse('not-found', NO_STUDENT);
    return now === OFF_ROLL ? [] : [{ type: 'StudentTakenOffRoll', data: { studentId, subjectId } }];
  }
  if (place === 'back') {
    const last = left.get(`${subjectId} ${studentId}`);
    if (now !== undefined) return [];
    if (last === undefined) return refuse('not-found', NO_STUDENT);
    if (student.forgotten) return refuse('refused', FORGOTTEN);
    return hasSet(facts, last)
      ? [{ type: 'StudentEnrolled', data: { studentId, subjectId, setId: last } }]
      : [{ type: 'StudentTakenOffRoll', data: { studentId, subjectId } }];
  }
  const { setId } = place;
  if (!hasSet(facts, setId)) return refuseInput('setId', NO_SET);
  if (now === setId) return [];
  return [{ type: now === undefined ? 'StudentEnrolled' : 'StudentMoved', data: { studentId, subjectId, setId } }];
};

export const hasSet = ({ sets }: SetFacts, setId: string): boolean => sets.some((set) => set.setId === setId);
