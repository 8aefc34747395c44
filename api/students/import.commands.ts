import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { canonical } from '../../events/codec/tags.ts';
import type { RosterEvent, StudentPerson, StudentState } from '../../events/students/roster.ts';
import { detailsOf, OFF_ROLL, roster } from '../../events/students/roster.ts';
import type { InputError } from '../contract/problem.ts';
import { identified } from './candidates.rules.ts';
import type { Candidate, NumberedRow } from './candidates.rules.ts';
import type { ImportCounts, importStudents } from './students.contract.ts';
import { rosterCommands } from './students.contract.ts';
import type { MeantSet, OthersMeant } from './import-sets.rules.ts';
import { goneSince, meantSet, othersMeant, renamedSince } from './import-sets.rules.ts';
import type { RosterFacts, SetFacts } from './students.facts.ts';
import { setFacts } from './students.facts.ts';
import type { Context } from '../common/command.ts';
import { command, refuse, Refused } from '../common/command.ts';
import { distinctNames, isAmong } from '../contract/names.ts';

/** Imports a file of students, all or nothing. `others` says what happens to students of the subject who are not in the file. */
export const ImportStudents = command({
  largest: 'upload',
  ...rosterCommands.ImportStudents,
  aggregate: roster,
  facts: setFacts,
  decide(input, state, facts, context) {
    const plan = importPlan(input, state, facts, context);
    if (plan instanceof Refused) return plan;
    const gone = goneSince(plan.sets);
    if (gone) return gone;
    if (input.seen !== undefined && input.seen !== plan.seen) return refuse('precondition-failed', CHANGED_SINCE);
    return unknownSets(plan) ?? notAnswered(plan) ?? eventsOf(plan);
  },
  answer(input, events, { sets }, { commandId }) {
    return { ...countsOf(events.find((event) => event.type === 'StudentsImported')?.data), renamed: renamedSince(input, sets), commandId };
  },
});

const CHANGED_SINCE = 'Somebody changed the students since this preview. Look at the new one before you commit it.';

type Input = z.output<typeof importStudents>;
type Imported = Extract<RosterEvent, { type: 'StudentsImported' }>['data'];

/** A row of the file, matched to a student and a set. */
export type PlannedRow = {
  readonly row: Input['rows'][number];
  readonly studentId: string;
  readonly person: StudentPerson;
  /** undefined: new to the school */
  readonly student: StudentState | undefined;
  /** If the StudentID is nobody's: who it may be. */
  readonly candidates: readonly Candidate[];
  /** or OFF_ROLL; undefined: no such set */
  readonly setId: string | undefined;
  /** undefined: not enrolled in the subject */
  readonly now: string | undefined;
  /** If the student is known by another name or date of birth: which version counts, or 'asked' if the user must choose. */
  readonly details: 'file' | 'stored' | 'asked' | undefined;
};

export type ImportPlan = {
  readonly sets: readonly MeantSet[];
  readonly others: OthersMeant;
  readonly rows: readonly PlannedRow[];
  /** Students of the subject who are not in the file. */
  readonly left: readonly (readonly [studentId: string, student: StudentState])[];
  readonly data: Imported;
  /** A fingerprint of the data that the plan is based on; it changes with them. */
  readonly seen: string;
};

/** What an import does: shared by ImportStudents and its preview. */
export const importPlan = (
  input: Input,
  state: RosterFacts,
  { sets }: SetFacts,
  { newId, tag }: Pick<Context, 'newId' | 'tag'>,
): ImportPlan | Refused => {
  const { subjectId, correct } = input;
  const meaning = new Map([...new Set(input.rows.map(({ set }) => set))].map((name) => [name, meantSet(name, input, sets)]));
  const numbered = input.rows.map((row) => {
    const idTag = tag('admission-number', row.admissionNo);
    return { row, tag: idTag, holder: state.byTag.get(idTag) };
  });
  const wrong = duplicates(numbered);
  if (wrong) return wrong;
  const notIn = (inFile: ReadonlySet<string | undefined>): ImportPlan['left'] =>
    [...state.students].filter(([studentId, { enrolments }]) => enrolments.has(subjectId) && !inFile.has(studentId));
  const unlisted = notIn(new Set(numbered.map(({ holder }) => holder)));
  const people = identified(
    numbered,
    unlisted.flatMap(([studentId, { person }]) => (person ? [{ studentId, ...person }] : [])),
  );
  if (people instanceof Refused) return people;
  const rows = people.map(({ row, tag: idTag, holder, studentId, candidates }): PlannedRow => {
    const { admissionNo, name, dateOfBirth, set } = row;
    const student = studentId === undefined ? undefined : state.students.get(studentId);
    const stored = student?.person;
    const number = stored && holder === undefined && row.number !== 'file' ? stored : { admissionNo, tag: idTag };
    // An empty cell says nothing: what is known stays.
    const person = { admissionNo: number.admissionNo, name, dateOfBirth: dateOfBirth ?? stored?.dateOfBirth ?? null, tag: number.tag };
    const differs = stored !== undefined && detailsOf(stored) !== detailsOf(person);
    return {
      row,
      studentId: studentId ?? newId(`student ${idTag}`),
      person,
      student,
      candidates,
      setId: meaning.get(set)?.setId,
      now: student?.enrolments.get(subjectId),
      details: differs ? (row.details ?? (correct ? 'file' : 'asked')) : undefined,
    };
  });
  const left = notIn(new Set(rows.map(({ studentId }) => studentId)));
  const placed = rows.flatMap((row) => (row.setId === undefined || row.setId === OFF_ROLL ? [] : [{ ...row, setId: row.setId }]));
  // A student whom the file marks as off roll and who is not in the subject is not added.
  const offRolled = rows.filter(({ setId, now }) => setId === OFF_ROLL && now !== undefined && now !== OFF_ROLL);
  const others = othersMeant(input.othersIn, sets, {
    into: placed.map(({ setId }) => setId),
    from: rows.map(({ now }) => now),
    left: left.map(([, { enrolments }]) => enrolments.get(subjectId)),
  });
  const meant = left.filter(([, { enrolments }]) => others.isMeant(enrolments.get(subjectId)));
  const leftOffRolled = input.others === 'off-roll' ? meant.filter(([, student]) => student.enrolments.get(subjectId) !== OFF_ROLL) : [];
  const data: Imported = {
    subjectId,
    added: placed.filter(({ student }) => !student).map(({ studentId, setId, person }) => ({ studentId, setId, person })),
    enrolled: placed.filter(({ student, now }) => student && now === undefined).map(({ studentId, setId }) => ({ studentId, setId })),
    moved: placed.filter(({ now, setId }) => now !== undefined && now !== setId).map(({ studentId, setId }) => ({ studentId, setId })),
    corrected: rows.flatMap(correctionOf),
    offRolled: [...offRolled.map(({ studentId }) => studentId), ...leftOffRolled.map(([studentId]) => studentId)],
    removed: input.others === 'remove' ? meant.map(([id]) => id) : [],
    about: { fileName: input.fileName },
  };
  return {
    sets: [...meaning.values()],
    others,
    rows,
    left,
    data,
    seen: fingerprint(
      rows,
      left.map(([studentId, { enrolments }]) => [studentId, enrolments.get(subjectId), others.isMeant(enrolments.get(subjectId))]),
      input.make.flatMap(({ names }) => names),
    ),
  };
};

/** With the file's name and date of birth, its StudentID, or both. */
const correctionOf = ({ studentId, student, person, details }: PlannedRow): Imported['corrected'] => {
  const stored = student?.person;
  if (details === 'file') return [{ studentId, person }];
  return isRenumbered({ student, person }) && stored
    ? [{ studentId, person: { ...person, name: stored.name, dateOfBirth: stored.dateOfBirth } }]
    : [];
};

/** Whether a student gets the StudentID of the file in place of another one. */
export const isRenumbered = ({ student, person }: Pick<PlannedRow, 'student' | 'person'>): boolean =>
  student?.person !== undefined && student.person.tag !== person.tag;

type Lists = Readonly<Record<keyof ImportCounts, readonly unknown[]>>;

export const countsOf = (data: Lists | undefined): ImportCounts => {
  const count = (list: readonly unknown[] | undefined): number => list?.length ?? 0;
  return {
    added: count(data?.added),
    enrolled: count(data?.enrolled),
    moved: count(data?.moved),
    corrected: count(data?.corrected),
    offRolled: count(data?.offRolled),
    removed: count(data?.removed),
  };
};

const eventsOf = ({ data }: ImportPlan): readonly RosterEvent[] =>
  Object.values(countsOf(data)).some((count) => count > 0) ? [{ type: 'StudentsImported', data }] : [];

/** Covers who is where under which name, but not new ids, which differ between preview and import. */
const fingerprint = (rows: readonly PlannedRow[], left: readonly (readonly unknown[])[], made: readonly string[]): string =>
  createHash('sha256')
    .update(
      canonical([
        rows.map(({ row, studentId, setId, now, student, candidates }) => [
          row.admissionNo,
          row.name,
          row.dateOfBirth,
          isAmong(made, row.set) ? 'made' : (setId ?? null),
          now ?? null,
          student?.person ? [studentId, student.person.admissionNo, detailsOf(student.person)] : null,
          candidates.map((candidate) => candidate.student.studentId),
        ]),
        left.map((one) => one.join(' ')).toSorted(),
      ]),
    )
    .digest('base64url');

const duplicates = (rows: readonly NumberedRow[]): Refused | undefined => {
  const first = new Set<string>();
  const errors: InputError[] = [];
  for (const [index, { row, tag }] of rows.entries()) {
    if (first.has(tag)) errors.push({ path: `rows.${index}.admissionNo`, message: `${row.admissionNo} is listed twice` });
    first.add(tag);
  }
  if (errors.length === 0) return undefined;
  return refuse(
    'invalid-input',
    'Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.',
    errors,
  );
};

const unknownSets = ({ rows }: ImportPlan): Refused | undefined => {
  const errors = rows.flatMap(({ row, setId }, index) =>
    setId === undefined ? [{ path: `rows.${index}.set`, message: `There is no set ${row.set}` }] : [],
  );
  if (errors.length === 0) return undefined;
  return refuse('invalid-input', `There are no sets of these names: ${missingSets(rows).join(', ')}. Add them first.`, errors);
};

/** As the file first has them: 11x1 is the 11X1 of an earlier row. */
export const missingSets = (rows: readonly PlannedRow[]): readonly string[] =>
  distinctNames(rows.flatMap(({ row, setId }) => (setId === undefined ? [row.set] : [])));

const notAnswered = ({ rows }: ImportPlan): Refused | undefined => {
  const errors = rows.flatMap(({ details, row }, index) =>
    details === 'asked'
      ? [{ path: `rows.${index}`, message: `${row.admissionNo} is known by another name or date of birth than ${row.name}` }]
      : [],
  );
  if (errors.length === 0) return undefined;
  return refuse(
    'conflict',
    `${errors.length} student(s) are known by another name or date of birth. Confirm that the file is right.`,
    errors,
  );
};
