import { sameName } from '#api/contract/names';
import type { Structure } from '#api/school/school.contract';
import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';

type SetNow = Structure['yearGroups'][number]['sets'][number];
export type PlannedSet = SchoolYearPlan['sets'][number];
export type NewSet = SchoolYearPlan['newSets'][number];
export type GoingOn = Extract<PlannedSet['becomes'], { readonly name: string }>;

/** After these years students leave, or choose anew what they take. */
const LAST_YEARS = [6, 11, 13];

/** Each year group moves up; who is in a last year leaves; the sets of a year that would be empty are there again, for those who come. */
export const suggestedPlan = (structure: Structure, day: string): SchoolYearPlan => {
  const empty = { day, yearGroups: [], sets: [], newSets: [], students: [], intake: null };
  return structure.yearGroups.reduce<SchoolYearPlan>(
    (plan, { yearGroupId, year }) => withYear(plan, structure, yearGroupId, LAST_YEARS.includes(year) ? null : year + 1),
    empty,
  );
};

/** What a year group becomes, with its sets; the sets that are new follow from it. */
export const withYear = (plan: SchoolYearPlan, structure: Structure, yearGroupId: string, to: number | null): SchoolYearPlan => {
  const group = structure.yearGroups.find((one) => one.yearGroupId === yearGroupId);
  if (!group) return plan;
  const sets = group.sets.map((set): PlannedSet => {
    const becomes = to === null ? { into: null } : goingOn(structure, set, { from: group.year, to });
    return { setId: set.setId, becomes };
  });
  const ids = new Set(group.sets.map(({ setId }) => setId));
  const next = {
    ...plan,
    yearGroups: [...plan.yearGroups.filter((one) => one.yearGroupId !== yearGroupId), { yearGroupId, year: to }],
    sets: [...plan.sets.filter(({ setId }) => !ids.has(setId)), ...sets],
  };
  return { ...next, newSets: newSetsOf(next, structure) };
};

const goingOn = (structure: Structure, set: SetNow, { from, to }: { readonly from: number; readonly to: number }): GoingOn => {
  const name = renamed(set.name, from, to);
  const like = setCalled(structure, name);
  if (!like || like.setId === set.setId) return { name, year: to };
  // What it has sat stays with it.
  const testIds = [...new Set([...set.testIds, ...like.testIds])];
  return { name, year: to, ...(like.schemeId === null ? {} : { schemeId: like.schemeId }), testIds };
};

/** 8A as 9A, 10X1 as 11X1; a name without the number of the year stays. */
const renamed = (name: string, from: number, to: number): string => name.replace(new RegExp(`(?<!\\d)${from}(?!\\d)`), `${to}`);

const setCalled = ({ yearGroups }: Structure, name: string): SetNow | undefined =>
  yearGroups.flatMap(({ sets }) => sets).find((set) => sameName(set.name, name));

/** Those that somebody has added, and, for each year that no year group becomes, its sets of now. */
const newSetsOf = (plan: SchoolYearPlan, structure: Structure): SchoolYearPlan['newSets'] => {
  const own = plan.newSets.filter(({ name }) => !setCalled(structure, name));
  const vacant = structure.yearGroups.filter(({ year }) => plan.yearGroups.every((group) => group.year !== year));
  const taken = plan.sets.flatMap(({ becomes }) => ('name' in becomes ? becomes.name : []));
  const again = vacant.flatMap(({ year, sets }) =>
    sets.filter(({ name }) => !taken.some((other) => sameName(other, name))).flatMap((set) => newSet(structure, set, year) ?? []),
  );
  return [...own, ...again];
};

/** A set like one of now, without its students. */
export const newSet = (
  { teachers, schemes }: Structure,
  like: SetNow | undefined,
  year: number,
  name = like?.name ?? '',
): NewSet | undefined => {
  const schemeId = like?.schemeId ?? schemes[0]?.schemeId;
  if (schemeId === undefined) return undefined;
  return {
    name,
    year,
    schemeId,
    testIds: like?.testIds ?? [],
    teacherIds: like ? teachers.filter(({ setIds }) => setIds.includes(like.setId)).map(({ teacherId }) => teacherId) : [],
    thresholds: like?.thresholds ?? { red: 0, amber: 40, green: 70 },
  };
};

/** Who teaches the sets that go on: whoever does now, or whoever teaches now the set whose name it takes. */
export const withTeachers = (
  plan: SchoolYearPlan,
  { yearGroups, teachers }: Structure,
  go: 'with students' | 'by name',
): SchoolYearPlan => ({
  ...plan,
  sets: plan.sets.map(({ setId, becomes }) => {
    if (!('name' in becomes)) return { setId, becomes };
    const { teacherIds: _, ...set } = becomes;
    const like = yearGroups.flatMap(({ sets }) => sets).find(({ name }) => sameName(name, becomes.name));
    if (go === 'with students' || !like) return { setId, becomes: set };
    return {
      setId,
      becomes: { ...set, teacherIds: teachers.filter(({ setIds }) => setIds.includes(like.setId)).map((one) => one.teacherId) },
    };
  }),
});

/** 2026-09-01: the next first of September. */
export const nextSeptember = (today: string): string => `${Number(today.slice(0, 4)) + (today.slice(5) > '09-01' ? 1 : 0)}-09-01`;
