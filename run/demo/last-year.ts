import type { Actor } from '../../api/actor.ts';
import type { Builder } from './builder.ts';
import { there } from './builder.ts';
import { DemoTask, teachersOf } from './feedback-tasks.ts';
import type { Mathematics, Staff } from './mathematics.ts';
import { assign, yearOf } from './mathematics.ts';
import type { Paper, Sets } from './papers.ts';
import { marksIn, totalsIn } from './papers.ts';
import type { Grades } from './prior.ts';
import type { Teaching } from './people.ts';

const higher = ['11M1', '11M2', '11M3'];
const foundation = ['11M4', '11M5', '11M6'];
const whose: Readonly<Partial<Record<Teaching, readonly string[]>>> = {
  leader: ['11M3'],
  teacher1: ['11M1'],
  teacher2: ['11M4'],
  teacher3: ['11M2'],
  teacher4: ['11M5'],
  teacher5: ['11M6'],
};

type School = {
  readonly admin: Actor;
  readonly staff: Staff;
  readonly maths: Mathematics;
  readonly schemeId: string;
  readonly grades: Grades;
  /** The grade profile of the year group. */
  readonly profileId: string;
};

/** The year group that has left: 180 students in six sets, the papers that they sat, and their final grades. Returns its sets. */
export const lastYear = async (builder: Builder, { admin, staff, maths, schemeId, grades, profileId }: School): Promise<Sets> => {
  const { calendar } = builder;
  calendar.goTo(-52, 'Wed', '09:00');
  const sets = await yearOf(builder, admin, maths, {
    sets: [
      { names: higher, schemeId, papers: ['autumn', 'winterHigher', 'spring'] },
      { names: foundation, schemeId, papers: ['autumn', 'winterFoundation', 'spring'] },
    ],
    students: { path: 'history/last_year_students.csv', others: 'keep' },
  });
  const teachers = await assign(builder, admin, maths, { year: 'last year', sets, staff, of: whose });
  const leader = there(teachers.get('leader'), 'leader');
  const sat = async (paper: Paper, name: string, names: readonly string[]) => {
    await builder.settled();
    await uploaded(builder, leader, maths, { paper, name, sets, names });
  };
  calendar.goTo(-50, 'Tue', '15:35');
  await grades(leader, 'before', { path: 'history/last_year_prior.csv', yearCompleted: calendar.year - 2 });
  calendar.goTo(-47, 'Thu', '15:45');
  await sat('autumn', 'autumn', [...higher, ...foundation]);
  calendar.goTo(-45, 'Thu', '15:20');
  await sat('winterHigher', 'winter_higher', higher);
  calendar.goTo(-45, 'Fri', '12:50');
  await sat('winterFoundation', 'winter_foundation', foundation);
  calendar.goTo(-20, 'Wed', '16:05');
  await sat('spring', 'spring', [...higher, ...foundation]);
  const spring = new DemoTask(
    builder,
    { staff: teachers, maths, sets },
    {
      name: 'Spring ranking',
      classes: whose,
      papers: (set) => ['autumn', higher.includes(set) ? 'winterHigher' : 'winterFoundation', 'spring'],
    },
  );
  calendar.goTo(-19, 'Mon', '15:30');
  await spring.ranked();
  calendar.goTo(-19, 'Wed', '16:00');
  for (const who of teachersOf(whose)) await spring.rankingChecked(who);
  calendar.goTo(-18, 'Mon', '15:45');
  await spring.graded(profileId);
  calendar.goTo(-18, 'Wed', '16:10');
  for (const who of teachersOf(whose)) await spring.gradesChecked(who);
  calendar.goTo(-18, 'Fri', '14:00');
  await spring.ended();
  // The day of the results in August.
  calendar.goTo(-2, 'Thu', '11:20');
  await grades(leader, 'final', { path: 'history/last_year_final_grades.csv', yearCompleted: calendar.year });
  return sets;
};

/** Deletes the six sets; their students stay in the history. */
export const rollOver = async ({ done }: Builder, admin: Actor, { subjectId }: Mathematics, sets: Sets): Promise<void> => {
  for (const setId of sets.idsOf(sets.names)) await done(admin, `last year ${setId}`, 'DeleteSet', { subjectId, setId });
};

type Sat = { readonly paper: Paper; readonly name: string; readonly sets: Sets; readonly names: readonly string[] };

/** The totals of a paper, and some minutes later its question marks. */
const uploaded = async (builder: Builder, by: Actor, { subjectId, papers }: Mathematics, { paper, name, sets, names }: Sat) => {
  const testId = there(papers.get(paper), paper);
  const setIds = sets.idsOf(names);
  await builder.done(by, `last year ${paper}`, 'UploadTotals', {
    subjectId,
    fileName: `${name}_totals.csv`,
    classes: setIds.map((setId) => ({ setId, testIds: [testId] })),
    rows: await totalsIn(`history/last_year_${name}_totals.csv`),
  });
  await builder.settled();
  await builder.done(by, `last year ${paper}`, 'UploadMarks', {
    subjectId,
    testId,
    setIds,
    fileName: `${name}_results.csv`,
    rows: await marksIn(`history/last_year_${name}_results.csv`),
  });
};
