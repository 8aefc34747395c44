import { OFF_ROLL } from '../../events/students/roster.ts';
import { countsOf, importPlan, isRenumbered, missingSets } from './import.commands.ts';
import type { ImportPlan, PlannedRow } from './import.commands.ts';
import { Refused } from '../common/command.ts';
import { OFF_ROLL_NAME } from './off-roll.contract.ts';
import type { ImportPreview } from './students.contract.ts';
import { rosterQueries } from './students.contract.ts';
import type { StudentDoubts } from './plausible.contract.ts';
import { asPart, studentDoubts } from './plausible.rules.ts';
import type { RosterFacts } from './students.facts.ts';
import { plainTag, rosterFacts, setFacts } from './students.facts.ts';
import { ProblemError } from '../common/problems.ts';
import { defineQuery } from '../common/query.ts';
import { sameName } from '../contract/names.ts';

/** What a file of students would change: the plan that ImportStudents carries out. */
export const previewStudents = defineQuery({
  largest: 'upload',
  ...rosterQueries['preview-students'],
  models: ['structure', 'roster'],
  async run(query, input, actor): Promise<ImportPreview> {
    const [state, { sets }] = await Promise.all([rosterFacts.load(query, input, actor), setFacts.load(query, input, actor)]);
    const made = input.make.flatMap(({ names, in: group }) =>
      names
        .filter((name) => !sets.some((set) => sameName(set.name, name)))
        .map((name) => ({ setId: MADE + name, name, ...('year' in group ? {} : { yearGroupId: group.yearGroupId }) })),
    );
    const facts = { sets: [...sets, ...made] };
    const plan = importPlan(input, state, facts, { newId: (label) => label, tag: plainTag });
    if (plan instanceof Refused) throw new ProblemError(plan.code, plan.title, { errors: plan.errors });
    const names = new Map(facts.sets.map(({ setId, name }) => [setId, name]));
    const setName = (place: string | undefined): string => names.get(place ?? '') ?? OFF_ROLL_NAME;
    return {
      rows: plan.rows.map((planned) => ({
        admissionNo: planned.row.admissionNo,
        name: planned.row.name,
        dateOfBirth: planned.person.dateOfBirth,
        set: planned.setId === undefined ? planned.row.set : setName(planned.setId),
        change: changeOf(planned),
        from: planned.now === undefined || planned.now === planned.setId ? null : setName(planned.now),
        stored: storedOf(planned),
        ...identityOf(planned, (studentId) => setName(state.students.get(studentId)?.enrolments.get(input.subjectId))),
      })),
      sets: plan.sets.map(({ setId, ...set }) => ({ ...set, setId: setId === undefined || setId.startsWith(MADE) ? null : setId })),
      missingSets: missingSets(plan.rows),
      others: plan.left.map(([studentId, { person, enrolments }]) => ({
        studentId,
        admissionNo: person?.admissionNo ?? '',
        name: person?.name ?? 'A forgotten student',
        dateOfBirth: person?.dateOfBirth ?? null,
        set: setName(enrolments.get(input.subjectId)),
        in: plan.others.groupOf(enrolments.get(input.subjectId)) ?? null,
        becomes: plan.others.isMeant(enrolments.get(input.subjectId)) ? becomesOf(input.others, enrolments.get(input.subjectId)) : 'kept',
      })),
      othersIn: [...plan.others.ids],
      counts: countsOf(plan.data),
      ...asPart(doubtsOf(plan, state)),
      seen: plan.seen,
    };
  },
});

/** Before the name of a set that the import makes: it has no id yet. */
const MADE = 'made ';

/** Who is off roll already, and is to be moved there, stays. */
const becomesOf = (others: 'keep' | 'off-roll' | 'remove', now: string | undefined): ImportPreview['others'][number]['becomes'] => {
  if (others === 'remove') return 'removed';
  return others === 'keep' || now === OFF_ROLL ? 'kept' : 'off-roll';
};

/** Names that the file would change into another person's, names garbled by an encoding, and StudentIDs that would add a student twice. */
const doubtsOf = ({ rows }: ImportPlan, { students }: RosterFacts): StudentDoubts =>
  studentDoubts({
    identified: rows.flatMap(({ row, student, details }) =>
      student?.person ? [{ row, student: student.person, isStored: details === 'file' || details === 'asked' }] : [],
    ),
    unknown: rows.filter(({ student, candidates }) => !student && candidates.length === 0).map(({ row }) => row),
    candidates: [...students.values()].flatMap(({ person }) => person ?? []),
  });

const changeOf = ({ setId, student, now }: PlannedRow): ImportPreview['rows'][number]['change'] => {
  if (setId === undefined) return 'missing';
  if (setId === OFF_ROLL) return now === undefined ? 'left-out' : now === OFF_ROLL ? 'same' : 'off-roll';
  if (!student) return 'added';
  if (now === undefined) return 'enrolled';
  return now === setId ? 'same' : 'moved';
};

const identityOf = (planned: PlannedRow, setOf: (studentId: string) => string): Pick<ImportPreview['rows'][number], 'identity'> => {
  const { row, candidates, studentId, student } = planned;
  if (candidates.length === 0) return {};
  return {
    identity: {
      dateOfBirth: row.dateOfBirth,
      candidates: candidates.map(({ student: { studentId: who, admissionNo, name, dateOfBirth }, agrees }) => ({
        studentId: who,
        admissionNo,
        name,
        dateOfBirth,
        set: setOf(who),
        agrees: [...agrees],
      })),
      studentId: student ? studentId : null,
      number: isRenumbered(planned) ? 'file' : 'stored',
    },
  };
};

const storedOf = ({ details, student }: PlannedRow): ImportPreview['rows'][number]['stored'] =>
  details && student?.person
    ? { name: student.person.name, dateOfBirth: student.person.dateOfBirth, counts: details === 'asked' ? null : details }
    : null;
