import type { SetState, SubjectEvent, TeacherState } from '../../../events/school/subject.ts';
import type { InputError } from '../../contract/problem.ts';
import { isAmong, repeated, sameName } from '../../contract/names.ts';
import { wrongThresholds } from '../../contract/rules.ts';
import { OFF_ROLL_NAME } from '../../students/off-roll.contract.ts';
import type { SchoolYearPlan } from './school-year.contract.ts';
import { schoolYearOf } from './school-year.formula.ts';

export type GoingOn = Extract<SchoolYearPlan['sets'][number]['becomes'], { readonly name: string }>;

/** A subject as it stands, by the fold or by the read models. */
export type Standing = {
  readonly yearGroups: ReadonlyMap<string, number>;
  readonly sets: ReadonlyMap<string, Pick<SetState, 'name' | 'yearGroupId' | 'schemeId' | 'testIds'>>;
  readonly teachers: ReadonlyMap<string, Pick<TeacherState, 'setIds'>>;
};
type Choices = { readonly schemeIds: readonly string[]; readonly testIds: readonly string[] };

type SetOfPlan = GoingOn & { readonly setId: string; readonly path: string };

/** The sets that go on, as they are in the new year. */
export const goingOn = ({ sets }: SchoolYearPlan): readonly SetOfPlan[] =>
  sets.flatMap(({ setId, becomes }, index) => ('name' in becomes ? [{ ...becomes, setId, path: `sets.${index}.becomes` }] : []));

/** All sets of the new year. `newId`: of the command that adds those that are new. */
export const setsOfPlan = (plan: SchoolYearPlan, newId: (label: string) => string): readonly SetOfPlan[] => [
  ...goingOn(plan),
  ...plan.newSets.map((set, index) => ({ ...set, setId: newId(`set ${set.name}`), path: `newSets.${index}` })),
];

/** What is wrong with a plan for a subject as it stands. The new year is looked at as a whole: 8A may become 9A while 9A becomes 10A. */
export const wrongIn = (plan: SchoolYearPlan, { yearGroups, sets, teachers }: Standing, { schemeIds, testIds }: Choices): InputError[] => {
  const errors: InputError[] = [];
  const wrong = (path: string, message: string): unknown => errors.push({ path, message });
  const years = new Map<number, string>();
  for (const [index, { yearGroupId, year }] of plan.yearGroups.entries()) {
    const now = yearGroups.get(yearGroupId);
    if (now === undefined) wrong(`yearGroups.${index}`, GONE_YEAR);
    else if (year !== null && years.has(year))
      wrong(`yearGroups.${index}.year`, `Year ${now} and ${years.get(year)} cannot both become Year ${year}.`);
    else if (year !== null) years.set(year, `Year ${now}`);
  }
  for (const [yearGroupId, year] of yearGroups)
    if (plan.yearGroups.every((planned) => planned.yearGroupId !== yearGroupId)) wrong('yearGroups', `Say what becomes of Year ${year}.`);
  for (const [setId, { name }] of sets)
    if (plan.sets.every((planned) => planned.setId !== setId)) wrong('sets', `Say what becomes of ${name}.`);
  for (const [index, { setId }] of plan.sets.entries()) if (!sets.has(setId)) wrong(`sets.${index}`, GONE_SET);
  const next = setsOfPlan(plan, (label) => label);
  const names = next.map(({ name }) => name);
  for (const [index, { name, path, ...set }] of next.entries()) {
    if (repeated(names.slice(0, index + 1)) === index) wrong(`${path}.name`, `Two sets of the new year would be called ${name}.`);
    if (set.schemeId !== undefined && !schemeIds.includes(set.schemeId)) wrong(`${path}.schemeId`, `Choose the scheme of work of ${name}.`);
    if (set.testIds?.some((testId) => !testIds.includes(testId)))
      wrong(`${path}.testIds`, `An assessment of ${name} was deleted meanwhile.`);
    if (set.teacherIds?.some((teacherId) => !teachers.has(teacherId)))
      wrong(`${path}.teacherIds`, `A teacher of ${name} was deleted meanwhile.`);
  }
  for (const [index, { thresholds }] of plan.newSets.entries()) {
    const message = wrongThresholds(thresholds);
    if (message !== undefined) wrong(`newSets.${index}.thresholds`, message);
  }
  const going = goingOn(plan).map(({ name }) => name);
  for (const [index, { becomes }] of plan.sets.entries())
    if ('into' in becomes && becomes.into !== null && !isAmong(going, becomes.into))
      wrong(`sets.${index}.becomes.into`, `${becomes.into} is not a set that goes on into the new year.`);
  for (const [index, { to }] of plan.students.entries()) if (to !== null && !isAmong(names, to)) wrong(`students.${index}.to`, noSuch(to));
  for (const name of new Set(plan.intake?.rows.map(({ set }) => set)))
    if (!sameName(name, OFF_ROLL_NAME) && !isAmong(names, name)) wrong('intake', noSuch(name));
  return errors;
};

const GONE_YEAR = 'There is no such year group any more: somebody else changed the classes.';
const GONE_SET = 'There is no such set any more: somebody else changed the classes.';
const noSuch = (name: string): string => `There is no set ${name} in the new year: add it to the plan.`;

/** What the plan changes in the subject itself. Sets that end are to be empty. */
export const arranged = (plan: SchoolYearPlan, standing: Standing, newId: (label: string) => string): readonly SubjectEvent[] => {
  const { yearGroups, sets, teachers } = standing;
  const next = setsOfPlan(plan, newId);
  const groupOf = new Map(plan.yearGroups.flatMap(({ yearGroupId, year }) => (year === null ? [] : [[year, yearGroupId] as const])));
  const added = [...new Set(next.map(({ year }) => year))].filter((year) => !groupOf.has(year));
  for (const year of added) groupOf.set(year, newId(`year-group ${year}`));
  const inGroup = (year: number): string => groupOf.get(year) ?? '';
  return [
    { type: 'SchoolYearBegun', data: { year: schoolYearOf(plan.day) } },
    ...added.map((year) => ({ type: 'YearGroupAdded' as const, data: { yearGroupId: inGroup(year), year } })),
    ...plan.yearGroups.flatMap(({ yearGroupId, year }): SubjectEvent[] =>
      year === null || year === yearGroups.get(yearGroupId) ? [] : [{ type: 'YearGroupRenamed', data: { yearGroupId, year } }],
    ),
    ...plan.sets.flatMap(({ setId, becomes }): SubjectEvent[] => {
      const now = sets.get(setId);
      if (!now || !('name' in becomes)) return [];
      const { name, schemeId = now.schemeId, testIds = now.testIds } = becomes;
      const yearGroupId = inGroup(becomes.year);
      return [
        ...(name === now.name ? [] : [{ type: 'SetRenamed' as const, data: { setId, name } }]),
        ...(yearGroupId === now.yearGroupId ? [] : [{ type: 'SetMovedToYearGroup' as const, data: { setId, yearGroupId } }]),
        ...(schemeId === now.schemeId ? [] : [{ type: 'SetSchemeChosen' as const, data: { setId, schemeId } }]),
        ...(sameAs(testIds, now.testIds) ? [] : [{ type: 'SetAssessmentsChosen' as const, data: { setId, testIds: [...testIds] } }]),
      ];
    }),
    ...plan.newSets.flatMap(({ name, year, schemeId, testIds, thresholds }): SubjectEvent[] => {
      const setId = newId(`set ${name}`);
      const set = { type: 'SetAdded' as const, data: { setId, yearGroupId: inGroup(year), name, schemeId, thresholds } };
      return testIds.length === 0 ? [set] : [set, { type: 'SetAssessmentsChosen', data: { setId, testIds: [...testIds] } }];
    }),
    ...[...teachers].flatMap(([teacherId, { setIds: now }]): SubjectEvent[] => {
      const said = next.filter(({ teacherIds }) => teacherIds !== undefined);
      const setIds = [
        ...now.filter((setId) => said.every((set) => set.setId !== setId)),
        ...said.flatMap(({ setId, teacherIds }) => (teacherIds?.includes(teacherId) ? setId : [])),
      ];
      return sameAs(setIds, now) ? [] : [{ type: 'TeacherSetsAssigned', data: { teacherId, setIds } }];
    }),
    ...plan.sets.flatMap(({ setId, becomes }) => ('name' in becomes ? [] : [{ type: 'SetDeleted' as const, data: { setId } }])),
    ...plan.yearGroups.flatMap(({ yearGroupId, year }) =>
      year === null ? [{ type: 'YearGroupDeleted' as const, data: { yearGroupId } }] : [],
    ),
  ];
};

/** Ignores order. */
const sameAs = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));
