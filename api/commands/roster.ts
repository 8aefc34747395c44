import type { Roster, StudentState } from '../../events/roster.ts';
import { detailsOf, OFF_ROLL, roster } from '../../events/roster.ts';
import type { InputError } from '../contract/problem.ts';
import {
  addStudent,
  correctStudent,
  forgetStudent,
  importStudents,
  moveStudent,
  removeStudent,
  takeOffRoll,
} from '../contract/structure.ts';
import type { SetFacts } from '../facts/roster.ts';
import { noFacts } from '../facts/facts.ts';
import { setFacts } from '../facts/roster.ts';
import type { Refused } from './command.ts';
import { command, refuse, refuseInput } from './command.ts';

const NO_SET = 'There is no such set.';
const NO_STUDENT = 'There is no such student in this subject.';
const FORGOTTEN = 'This student was forgotten: nobody knows any more who it is.';
const ID_TAKEN = 'Student ID must be unique';

export const AddStudent = command({
  input: addStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, setId, admissionNo, name, dateOfBirth }, state, known, { newId, tag }) {
    if (!hasSet(known, setId)) return refuseInput('setId', NO_SET);
    const idTag = tag('admission-number', admissionNo);
    if (state.byTag.has(idTag)) return refuseInput('admissionNo', ID_TAKEN);
    return [
      {
        type: 'StudentAdded',
        data: { studentId: newId('student'), subjectId, setId, person: { admissionNo, name, dateOfBirth, tag: idTag } },
      },
    ];
  },
  answer: (_input, _events, _known, { newId }) => ({ studentId: newId('student') }),
});

export const CorrectStudent = command({
  input: correctStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide({ studentId, admissionNo, name, dateOfBirth }, state, _known, { tag }) {
    const student = state.students.get(studentId);
    if (!student) return refuse('not-found', 'There is no such student.');
    if (student.forgotten) return refuse('refused', FORGOTTEN);
    const idTag = tag('admission-number', admissionNo);
    const holder = state.byTag.get(idTag);
    if (holder !== undefined && holder !== studentId) return refuseInput('admissionNo', 'Student ID must be Unique');
    const person = { admissionNo, name, dateOfBirth, tag: idTag };
    const same = student.tag === idTag && student.admissionNo === admissionNo && student.details === detailsOf(person);
    return same ? [] : [{ type: 'StudentCorrected', data: { studentId, person } }];
  },
  answer: () => ({}),
});

/** Into a set: from another one, from Off-Roll, or of a student of the school who is new to the subject. */
export const MoveStudent = command({
  input: moveStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, studentId, setId }, state, known) {
    const student = state.students.get(studentId);
    if (!student) return refuse('not-found', 'There is no such student.');
    if (!hasSet(known, setId)) return refuseInput('setId', NO_SET);
    const now = student.enrolments.get(subjectId);
    if (now === setId) return [];
    return [{ type: now === undefined ? 'StudentEnrolled' : 'StudentMoved', data: { studentId, subjectId, setId } }];
  },
  answer: () => ({}),
});

export const TakeOffRoll = command({
  input: takeOffRoll,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide({ subjectId, studentId }, state) {
    const now = state.students.get(studentId)?.enrolments.get(subjectId);
    if (now === undefined) return refuse('not-found', NO_STUDENT);
    return now === OFF_ROLL ? [] : [{ type: 'StudentTakenOffRoll', data: { studentId, subjectId } }];
  },
  answer: () => ({}),
});

/** Ends the enrolment in this subject; marks and person stay, and enrolling again brings everything back. */
export const RemoveStudent = command({
  input: removeStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide: ({ subjectId, studentId }, state) =>
    state.students.get(studentId)?.enrolments.has(subjectId) ? [{ type: 'StudentRemoved', data: { studentId, subjectId } }] : [],
  answer: () => ({}),
});

/** Whether it is for him, and what else goes with him: see api/forgetting. His marks stay and count; his StudentID is free again. */
export const ForgetStudent = command({
  input: forgetStudent,
  aggregate: roster,
  streamId: () => undefined,
  facts: noFacts,
  decide({ studentId }, state) {
    const student = state.students.get(studentId);
    if (!student) return refuse('not-found', 'There is no such student.');
    return student.forgotten ? [] : [{ type: 'StudentForgotten', data: { studentId } }];
  },
  answer: () => ({}),
});

/** A whole file of students, all or nothing. Students of the subject who are not in it: as `others` says. */
export const ImportStudents = command({
  input: importStudents,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide(input, state, known, { newId, tag }) {
    const { subjectId, rows, others, correct, fileName } = input;
    const people = rows.map(({ set, admissionNo, name, dateOfBirth }, index) => {
      const idTag = tag('admission-number', admissionNo);
      return {
        index,
        set,
        studentId: state.byTag.get(idTag) ?? newId(`student ${idTag}`),
        person: { admissionNo, name, dateOfBirth, tag: idTag },
      };
    });
    const wrong = duplicates(people) ?? unknownSets(input.rows, known) ?? (correct ? undefined : changedDetails(people, state));
    if (wrong) return wrong;

    const setIds = new Map(known.sets.map(({ setId, name }) => [name, setId]));
    const placed = people.map((one) => ({ ...one, setId: setIds.get(one.set) ?? '', student: state.students.get(one.studentId) }));
    const inFile = new Set(people.map(({ studentId }) => studentId));
    const left =
      others === 'keep'
        ? []
        : [...state.students].filter(([studentId, { enrolments }]) => enrolments.has(subjectId) && !inFile.has(studentId));
    const data = {
      subjectId,
      added: placed.filter(({ student }) => !student).map(({ studentId, setId, person }) => ({ studentId, setId, person })),
      enrolled: placed
        .filter(({ student }) => student && !student.enrolments.has(subjectId))
        .map(({ studentId, setId }) => ({ studentId, setId })),
      moved: placed
        .filter(({ student, setId }) => student?.enrolments.has(subjectId) && student.enrolments.get(subjectId) !== setId)
        .map(({ studentId, setId }) => ({ studentId, setId })),
      corrected: placed
        .filter(({ student, person }) => student && student.details !== detailsOf(person))
        .map(({ studentId, person }) => ({ studentId, person })),
      offRolled:
        others === 'off-roll' ? left.filter(([, student]) => student.enrolments.get(subjectId) !== OFF_ROLL).map(([id]) => id) : [],
      removed: others === 'remove' ? left.map(([id]) => id) : [],
      about: { fileName },
    };
    const changes =
      data.added.length + data.enrolled.length + data.moved.length + data.corrected.length + data.offRolled.length + data.removed.length;
    return changes === 0 ? [] : [{ type: 'StudentsImported', data }];
  },
  answer(_input, events) {
    const imported = events.find((event) => event.type === 'StudentsImported');
    const count = (list: readonly unknown[] | undefined): number => list?.length ?? 0;
    return {
      added: count(imported?.data.added),
      enrolled: count(imported?.data.enrolled),
      moved: count(imported?.data.moved),
      corrected: count(imported?.data.corrected),
      offRolled: count(imported?.data.offRolled),
      removed: count(imported?.data.removed),
    };
  },
});

type Placed = { index: number; studentId: string; person: { admissionNo: string; name: string; dateOfBirth: string | null; tag: string } };

const hasSet = ({ sets }: SetFacts, setId: string): boolean => sets.some((set) => set.setId === setId);

const duplicates = (people: readonly Placed[]): Refused | undefined => {
  const first = new Set<string>();
  const errors: InputError[] = [];
  for (const { index, person } of people) {
    if (first.has(person.tag)) errors.push({ path: `rows.${index}.admissionNo`, message: `${person.admissionNo} is there twice` });
    first.add(person.tag);
  }
  if (errors.length === 0) return undefined;
  return refuse(
    'invalid-input',
    'Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.',
    errors,
  );
};

const unknownSets = (rows: readonly { set: string }[], { sets }: SetFacts): Refused | undefined => {
  const names = new Set(sets.map(({ name }) => name));
  const errors = rows.flatMap(({ set }, index) =>
    names.has(set) ? [] : [{ path: `rows.${index}.set`, message: `There is no set ${set}` }],
  );
  if (errors.length === 0) return undefined;
  const missing = [...new Set(rows.map(({ set }) => set).filter((set) => !names.has(set)))];
  return refuse('invalid-input', `There are no sets of these names: ${missing.join(', ')}. Add them first.`, errors);
};

const changedDetails = (people: readonly Placed[], { students }: Roster): Refused | undefined => {
  const differs = (student: StudentState | undefined, person: Placed['person']): boolean =>
    student !== undefined && student.details !== detailsOf(person);
  const errors = people
    .filter(({ studentId, person }) => differs(students.get(studentId), person))
    .map(({ index, person }) => ({
      path: `rows.${index}`,
      message: `${person.admissionNo} is known with another name or date of birth than ${person.name}`,
    }));
  if (errors.length === 0) return undefined;
  return refuse(
    'conflict',
    `${errors.length} student(s) are known with another name or date of birth. Confirm that the file is right.`,
    errors,
  );
};
