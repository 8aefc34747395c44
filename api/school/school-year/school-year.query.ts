import { OFF_ROLL } from '../../../events/students/roster.ts';
import { sameName } from '../../contract/names.ts';
import { Refused } from '../../common/command.ts';
import type { RunSql } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import type { ImportPlan } from '../../students/import.commands.ts';
import { importPlan } from '../../students/import.commands.ts';
import type { RosterFacts } from '../../students/students.facts.ts';
import { plainTag, rosterFacts } from '../../students/students.facts.ts';
import { setChoices } from '../sets/sets.facts.ts';
import type { Standing } from './arrangement.rules.ts';
import { setsOfPlan, wrongIn } from './arrangement.rules.ts';
import type { SchoolYearPlan, SchoolYearPreview } from './school-year.contract.ts';
import { schoolYearQueries } from './school-year.contract.ts';

/** What a new school year would change, before it begins. */
export const previewSchoolYear = defineQuery({
  largest: 'upload',
  ...schoolYearQueries['preview-school-year'],
  models: ['structure', 'roster', 'assessments', 'tasks', 'accounts'],
  async run(query, { subjectId, plan }, actor): Promise<SchoolYearPreview> {
    const standing = await standingOf(query, subjectId);
    const choices = await setChoices.load(query, { subjectId }, actor);
    const roster = await rosterFacts.load(query, {}, actor);
    const problems = wrongIn(plan, standing, choices);
    const next = setsOfPlan(plan, (label) => label);
    const idOf = (name: string): string | undefined => next.find((set) => sameName(set.name, name))?.setId;

    const now = placesIn(roster, subjectId);
    const after = afterMoves(now, plan, idOf);
    const intake = plan.intake && intakeOf(plan.intake, { subjectId, roster, after, sets: next });
    if (intake instanceof Refused) problems.push({ path: 'intake', message: intake.title });
    else if (intake) {
      for (const { studentId, setId } of arrivals(intake)) after.set(studentId, setId);
      const asked = intake.rows.filter(({ details }) => details === 'asked').length;
      if (asked > 0) problems.push({ path: 'intake', message: differing(asked) });
    }

    const leavers = [...now].filter(([studentId, place]) => place !== OFF_ROLL && after.get(studentId) === OFF_ROLL).map(([id]) => id);
    return {
      problems,
      sets: setsBeside({ plan, standing, next, now, after }),
      leavers: {
        students: leavers.length,
        logIns: await logInsOf(query, leavers),
        elsewhere: leavers.filter((id) => (roster.students.get(id)?.enrolments.size ?? 0) > 1).length,
      },
      intake: intake && !(intake instanceof Refused) ? countsOf(intake) : null,
      tasks: (await query<OpenTask>(OPEN_TASKS, [subjectId])).map(({ yearGroupId, ...task }) => ({
        ...task,
        becomes: plan.yearGroups.find((group) => group.yearGroupId === yearGroupId)?.year ?? null,
      })),
      withoutTeacher: next
        .filter(({ setId, teacherIds }) =>
          teacherIds ? teacherIds.length === 0 : ![...standing.teachers.values()].some(({ setIds }) => setIds.includes(setId)),
        )
        .map(({ name }) => name),
    };
  },
});

const differing = (count: number): string =>
  `${count} student(s) have another name or date of birth in the file than here: say that the file counts, or change it.`;

type Places = Map<string, string>;

/** Of the students of the subject: by student, the set or OFF_ROLL. */
const placesIn = ({ students }: RosterFacts, subjectId: string): Places =>
  new Map(
    [...students].flatMap(([studentId, { enrolments }]) => {
      const place = enrolments.get(subjectId);
      return place === undefined ? [] : [[studentId, place]];
    }),
  );

const afterMoves = (now: Places, { sets, students }: SchoolYearPlan, idOf: (name: string) => string | undefined): Places => {
  const placeOf = (name: string | null): string => (name === null ? undefined : idOf(name)) ?? OFF_ROLL;
  const ends = new Map(sets.flatMap(({ setId, becomes }) => ('name' in becomes ? [] : [[setId, placeOf(becomes.into)]])));
  const own = new Map(students.map(({ studentId, to }) => [studentId, placeOf(to)]));
  return new Map([...now].map(([studentId, place]) => [studentId, own.get(studentId) ?? ends.get(place) ?? place]));
};

type Next = ReturnType<typeof setsOfPlan>;
type OfIntake = { readonly subjectId: string; readonly roster: RosterFacts; readonly after: Places; readonly sets: Next };

/** What the file changes once everybody else has moved. */
const intakeOf = (intake: NonNullable<SchoolYearPlan['intake']>, { subjectId, roster, after, sets }: OfIntake): ImportPlan | Refused => {
  const students = new Map(
    [...roster.students].map(([studentId, student]) => {
      const place = after.get(studentId);
      return [studentId, place === undefined ? student : { ...student, enrolments: new Map([...student.enrolments, [subjectId, place]]) }];
    }),
  );
  const context = { newId: (label: string) => label, tag: plainTag };
  return importPlan(
    { subjectId, ...intake, rows: [...intake.rows], sets: [], others: 'keep', make: [] },
    { ...roster, students },
    { sets },
    context,
  );
};

const arrivals = ({
  data: { added, enrolled, moved, offRolled },
}: ImportPlan): readonly { readonly studentId: string; readonly setId: string }[] => [
  ...added,
  ...enrolled,
  ...moved,
  ...offRolled.map((studentId) => ({ studentId, setId: OFF_ROLL })),
];

const countsOf = ({ rows, data }: ImportPlan): NonNullable<SchoolYearPreview['intake']> => ({
  added: data.added.length + data.enrolled.length,
  moved: data.moved.length,
  corrected: data.corrected.length,
  same: rows.filter(({ setId, now, details }) => setId === now && details === undefined).length,
  differ: rows.flatMap(({ details, person }) => (details === undefined ? [] : person.name)),
});

type Beside = {
  readonly plan: SchoolYearPlan;
  readonly standing: Standing;
  readonly next: Next;
  readonly now: Places;
  readonly after: Places;
};

/** Every set of both years: those of the new one first. */
const setsBeside = ({ plan, standing, next, now, after }: Beside): SchoolYearPreview['sets'] => {
  const moves = new Map<string, { before: number; after: number; leave: number; come: number; go: number }>();
  const of = (setId: string) => {
    const known = moves.get(setId) ?? { before: 0, after: 0, leave: 0, come: 0, go: 0 };
    moves.set(setId, known);
    return known;
  };
  for (const [studentId, from] of now) {
    const to = after.get(studentId) ?? from;
    of(from).before++;
    if (from === to) continue;
    if (to === OFF_ROLL) of(from).leave++;
    else of(from).go++;
  }
  for (const [studentId, to] of after) {
    of(to).after++;
    if (now.get(studentId) !== to) of(to).come++;
  }
  return [
    ...next.map(({ setId, name, year }) => ({ was: standing.sets.get(setId)?.name ?? null, name, year, ...of(setId) })),
    ...plan.sets.flatMap(({ setId, becomes }) => {
      const set = standing.sets.get(setId);
      if ('name' in becomes || !set) return [];
      return [{ was: set.name, name: null, year: standing.yearGroups.get(set.yearGroupId) ?? 0, ...of(setId) }];
    }),
  ];
};

const standingOf = async (query: RunSql, subjectId: string): Promise<Standing> => {
  const groups = await query<{ id: string; year: number }>(
    'select year_group_id as id, year from year_groups where school_id = $1 and subject_id = $2',
    [subjectId],
  );
  const sets = await query<{ id: string; name: string; yearGroupId: string; schemeId: string; testIds: string[] }>(
    `select set_id as id, name, year_group_id as "yearGroupId", scheme_id as "schemeId", test_ids as "testIds"
       from sets where school_id = $1 and subject_id = $2 and not deleted`,
    [subjectId],
  );
  const teachers = await query<{ id: string; setIds: string[] }>(
    'select teacher_id as id, set_ids as "setIds" from teachers where school_id = $1 and subject_id = $2',
    [subjectId],
  );
  return {
    yearGroups: new Map(groups.map(({ id, year }) => [id, year])),
    sets: new Map(sets.map(({ id, ...set }) => [id, set])),
    teachers: new Map(teachers.map(({ id, setIds }) => [id, { setIds }])),
  };
};

const logInsOf = async (query: RunSql, studentIds: readonly string[]): Promise<number> => {
  const [row] = await query<{ count: number }>(
    'select count(*)::int4 as count from accounts where school_id = $1 and student_id = any($2::uuid[]) and not closed',
    [studentIds],
  );
  return row?.count ?? 0;
};

type OpenTask = { readonly taskId: string; readonly name: string; readonly year: number; readonly yearGroupId: string };

/** $1 school; $2 subject. Neither deleted nor complete. */
const OPEN_TASKS = `
select k.task_id as "taskId", coalesce(k.name, '') as name, y.year, y.year_group_id as "yearGroupId"
from feedback_tasks k
join year_groups y on y.school_id = $1 and y.year_group_id = k.year_group_id
where k.school_id = $1 and k.subject_id = $2 and not k.deleted
  and exists (select from task_sets s where s.school_id = $1 and s.task_id = k.task_id and coalesce(s.status, 0) < 6)
order by y.year, k.created_at`;
