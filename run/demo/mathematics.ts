import type { Actor } from '../../api/actor.ts';
import { parseStudents } from '../../api/students/students-file.contract.ts';
import { parseScheme } from '../../api/school/scheme-file.contract.ts';
import type { Builder } from './builder.ts';
import { accepted, file, there } from './builder.ts';
import type { Paper } from './papers.ts';
import { createPaper, Sets, totalsIn } from './papers.ts';
import type { Taught, Teaching } from './people.ts';
import { people } from './people.ts';

export type Mathematics = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly economists: string;
  readonly teacherIds: ReadonlyMap<Teaching, string>;
  readonly papers: Map<Paper, string>;
};

export const mathematics = async ({ done }: Builder, admin: Actor, teaching: readonly Teaching[]): Promise<Mathematics> => {
  const { subjectId = '' } = await done(admin, 'maths', 'AddSubject', { name: 'Mathematics' });
  const topics = accepted(parseScheme(await file('mathexam/sow_upload.csv'))).rows.map(({ topic }) => topic);
  const { schemeId: economists = '' } = await done(admin, 'maths', 'AddScheme', { subjectId, name: 'Mathematics for economists', topics });
  const { yearGroupId = '' } = await done(admin, 'maths 11', 'AddYearGroup', { subjectId, year: 11 });
  const teacherIds = new Map<Teaching, string>();
  for (const who of teaching) {
    const { teacherId = '' } = await done(admin, `maths ${who}`, 'AddTeacher', { subjectId, name: people[who].name });
    teacherIds.set(who, teacherId);
  }
  return { subjectId, yearGroupId, economists, teacherIds, papers: new Map() };
};

export const teachesMathematics = ({ subjectId, teacherIds }: Mathematics, who: Teaching): Taught => ({
  subjectId,
  teacherId: there(teacherIds.get(who), who),
});

export const addPaper = async (builder: Builder, by: Actor, maths: Mathematics, paper: Paper): Promise<string> => {
  const testId = await createPaper(builder, by, { paper, subjectId: maths.subjectId });
  maths.papers.set(paper, testId);
  return testId;
};

/** Sets that are alike but for their names. */
export type Alike = { readonly names: readonly string[]; readonly schemeId: string; readonly papers: readonly Paper[] };

type Students = { readonly path: string; readonly others: 'keep' | 'off-roll' };

/** The sets of a school year, and their students from a file. */
export const yearOf = async (
  builder: Builder,
  admin: Actor,
  { subjectId, yearGroupId, papers }: Mathematics,
  { sets, students }: { readonly sets: readonly Alike[]; readonly students: Students },
): Promise<Sets> => {
  const ids = new Map<string, string>();
  for (const { names, schemeId, papers: sat } of sets) {
    const testIds = sat.map((paper) => papers.get(paper) ?? '');
    await builder.done(admin, `sets ${names.join()}`, 'AddSets', { subjectId, yearGroupId, names, schemeId, testIds });
    const made = await builder.rows<{ id: string; name: string }>(
      `select set_id as id, name from sets where school_id = $1 and subject_id = $2 and name = any($3::text[])`,
      [subjectId, names],
    );
    for (const name of names) ids.set(name, there(made.find((set) => set.name === name)?.id, name));
  }
  const chosen = await file(students.path);
  const rows = accepted(parseStudents(chosen)).rows.map(({ admissionNo, name, set, dateOfBirth }) => ({
    admissionNo,
    name,
    set,
    dateOfBirth,
  }));
  await builder.done(admin, students.path, 'ImportStudents', { subjectId, fileName: chosen.name, rows, others: students.others });
  return new Sets(ids, rows);
};

/** Assigns the sets to their teachers. Returns the staff with their sets. */
export const assign = async (
  { done }: Builder,
  admin: Actor,
  { subjectId, teacherIds }: Mathematics,
  {
    year,
    sets,
    staff,
    of,
  }: {
    readonly year: string;
    readonly sets: Sets;
    readonly staff: Staff;
    readonly of: Readonly<Partial<Record<Teaching, readonly string[]>>>;
  },
): Promise<Staff> => {
  const next = new Map(staff);
  for (const [who, actor] of staff) {
    const setIds = sets.idsOf(of[who] ?? []);
    await done(admin, `${year} ${who}`, 'ChangeTeacher', { subjectId, teacherId: teacherIds.get(who), setIds });
    next.set(who, { ...actor, setIds });
  }
  return next;
};
export type Staff = ReadonlyMap<Teaching, Actor>;

/** This year's sets, by the groups in which they sat the real examination. */
export const thisYear = {
  higher: Array.from({ length: 12 }, (_, at) => `11X${at + 1}`),
  foundation: Array.from({ length: 14 }, (_, at) => `11Y${at + 1}`),
} as const;
export const THIS_YEARS_STUDENTS = 'mathexam/student_upload.csv';
export const thisYearsSets: Readonly<Partial<Record<Teaching, readonly string[]>>> = {
  leader: ['11X4'],
  teacher1: ['11X1', '11X2', '11X3'],
  teacher2: ['11Y1', '11Y2'],
  teacher3: thisYear.higher.slice(4),
  teacher4: thisYear.foundation.slice(2, 8),
  teacher5: thisYear.foundation.slice(8),
};

/** The real examination, with everybody's totals. Its question marks are left for people who try the product. */
export const examination = async (
  builder: Builder,
  { admin, leader }: { readonly admin: Actor; readonly leader: Actor },
  { subjectId, papers }: Mathematics,
  { sets, before }: { readonly sets: Sets; readonly before: (set: string) => readonly Paper[] },
): Promise<void> => {
  const { calendar, done } = builder;
  const testId = there(papers.get('examination'), 'examination');
  for (const name of sets.names) {
    const testIds = [...before(name).map((paper) => papers.get(paper)), testId];
    const [setId] = sets.idsOf([name]);
    await done(admin, `examination ${name}`, 'ChangeSet', { subjectId, setId, testIds });
  }
  calendar.goTo(9, 'Thu', '15:10');
  await builder.settled();
  await done(leader, 'examination', 'UploadTotals', {
    subjectId,
    fileName: 'totals_upload.csv',
    classes: sets.idsOf(sets.names).map((setId) => ({ setId, testIds: [testId] })),
    rows: await totalsIn('mathexam/totals_upload.csv'),
  });
};
