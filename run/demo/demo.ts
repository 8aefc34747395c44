import { z } from 'zod';
import { systemActor } from '../../api/actor.ts';
import { streamOf } from '../../events/aggregate.ts';
import { commandId, newId } from '../../events/codec/ids.ts';
import { isUnused } from '../../events/store/identity.ts';
import type { Backend } from '../backend.ts';
import { keyOf } from '../command-client.ts';
import { StartError } from '../start-error.ts';
import { Autumn } from './autumn.ts';
import { Builder, SCHOOL, there } from './builder.ts';
import { builtOn, Calendar, dayOf, openedOn } from './calendar.ts';
import { gradeProfile } from './feedback-tasks.ts';
import { autumnRanking, winterRanking } from './rankings.ts';
import { lastYear, rollOver } from './last-year.ts';
import type { Staff } from './mathematics.ts';
import {
  addPaper,
  assign,
  examination,
  mathematics,
  teachesMathematics,
  thisYear,
  THIS_YEARS_STUDENTS,
  thisYearsSets,
  yearOf,
} from './mathematics.ts';
import type { Paper } from './papers.ts';
import type { Teaching } from './people.ts';
import { openAdmin, openAuditor, openStaff, openStudent, people, studentAct, teaching } from './people.ts';
import { terminalExams } from './prior.ts';
import { intoScience, science, typedScience } from './science.ts';
import { submissions } from './submissions.ts';
import { topics } from './topics.ts';

export type DemoOptions = {
  /** The day of the build, unless one was interrupted. */
  readonly today?: Date;
  /** Without it there are only this year's sets and the examination, which is built sooner. */
  readonly past?: boolean;
};

/**
 * Builds the demo school, by commands only: two school years of Mathematics, of which this one has 26 sets, 729 students and a real
 * examination; a small second subject; and accounts. Continues after an interruption without doing anything twice.
 */
export const demoSchool = async (
  backend: Backend,
  tell: (line: string) => void,
  { today = new Date(), past = true }: DemoOptions = {},
): Promise<void> => {
  tell('Building the demo school ...');
  const calendar = new Calendar(await dayOfBuild(backend, today));
  const builder = new Builder(backend, calendar);
  await builder.done(systemActor(SCHOOL), 'demo', 'OpenSchool', { name: 'Marktrail Demo School' });
  const admin = await openAdmin(builder);

  calendar.goTo(-52, 'Mon', '09:00');
  const taught = past ? teaching : teaching.slice(0, 3);
  const maths = await mathematics(builder, admin, taught);
  const second = await science(builder, admin);
  await openAuditor(builder, admin);
  const accounts = new Map<Teaching, Awaited<ReturnType<typeof openStaff>>>();
  for (const who of taught) {
    const records = [
      teachesMathematics(maths, who),
      ...(who === 'teacher2' ? [{ subjectId: second.subjectId, teacherId: second.teacherId }] : []),
    ];
    accounts.set(who, await openStaff(builder, admin, who, records));
  }
  let staff: Staff = accounts;
  const leader = there(staff.get('leader'), 'leader');

  const papers: readonly Paper[] = past ? ['autumn', 'winterHigher', 'winterFoundation', 'spring'] : [];
  for (const paper of papers) await addPaper(builder, admin, maths, paper);
  const bound = past ? await topics(builder, { admin, leader }, maths) : undefined;
  const grades = past ? await terminalExams(builder, admin, maths) : undefined;
  const profileId = past ? await gradeProfile(builder, leader, maths) : undefined;
  const before =
    bound && grades && profileId !== undefined
      ? await lastYear(builder, { admin, staff, maths, schemeId: bound.schemeId, grades, profileId })
      : undefined;

  calendar.goTo(-1, 'Wed', '09:30');
  const [schemeId, economists] = [bound?.schemeId ?? maths.economists, maths.economists];
  const sat = (set: string): readonly Paper[] =>
    !past ? [] : ['autumn', thisYear.higher.includes(set) ? 'winterHigher' : 'winterFoundation'];
  const sets = await yearOf(builder, admin, maths, {
    sets: [
      { names: thisYear.higher.slice(0, -1), schemeId, papers: sat('11X1') },
      { names: thisYear.higher.slice(-1), schemeId: economists, papers: sat('11X12') },
      { names: thisYear.foundation, schemeId, papers: sat('11Y1') },
    ],
    students: { path: THIS_YEARS_STUDENTS, others: 'off-roll' },
  });
  if (before) await rollOver(builder, admin, maths, before);
  staff = await assign(builder, admin, maths, { year: 'this year', sets, staff, of: thisYearsSets });
  const first = Array.from({ length: 12 }, (_, at) => `M${String(at + 1).padStart(4, '0')}`);
  const ids = await builder.studentIds(first);
  const firstIds = first.map((admissionNo) => there(ids.get(admissionNo), admissionNo));
  calendar.goTo(1, 'Mon', '08:45');
  await intoScience(builder, admin, second, firstIds);
  const sophie = await openStudent(builder, studentAct('student1'), people.student1, there(firstIds[0], 'student'));

  calendar.goTo(2, 'Tue', '15:50');
  await grades?.(leader, 'before', { path: 'history/this_year_prior.csv', yearCompleted: calendar.year - 1 });

  const autumn = new Autumn(builder, { admin, staff, maths, sets });
  if (past) {
    await autumn.autumnPaper();
    await autumn.studentMoves();
    await autumnRanking(builder, { staff, maths, sets });
    await autumn.winterPapers();
    await typedScience(builder, there(staff.get('teacher2'), 'teacher'), second, firstIds);
  }

  calendar.goTo(8, 'Mon', '09:05');
  const examinationId = await addPaper(builder, admin, maths, 'examination');
  await builder.done(admin, 'examination', 'ShowAssessment', { testId: examinationId, visible: true });
  // Nobody has entered marks for it yet, so that a student who has entered those of the examination still finds something to do.
  if (past) await builder.done(admin, 'science test', 'ShowAssessment', { testId: second.testId, visible: true });
  if (bound) await bound.bindExamination();
  await examination(builder, { admin, leader: there(staff.get('leader'), 'leader') }, maths, { sets, before: sat });
  if (past) {
    await submissions(builder, maths, new Map([['M0001', sophie]]));
    await autumn.studentLeaves();
    await winterRanking(builder, { staff, maths, sets }, profileId ?? '');
  }
  await openStudent(builder, studentAct('student2'), people.student2, there(firstIds[1], 'student'));
};

/** Whether the log holds the demo school, whose passwords are public. */
export const holdsDemoSchool = ({ store }: Backend): Promise<boolean> => holdsEvents(store.read(streamOf('school', SCHOOL)));

/**
 * Whether the demo school may be built, or its build continued: only in a log that has never held anything else, and has not taken the place of
 * another.
 */
export const maySetUpDemo = async (backend: Backend): Promise<boolean> =>
  (await demoIsHalfBuilt(backend)) || ((await isUnused(backend.store)) && (await backend.isFirstLog()));

/** Whether the build of the demo school was interrupted. Its last act has been the same in all versions, so an older school counts as complete. */
const demoIsHalfBuilt = async ({ store }: Backend): Promise<boolean> => {
  const lastAccount = newId(commandId(SCHOOL, keyOf(SCHOOL, studentAct('student2'), 'OpenStudentAccount')), 'account');
  return (
    (await holdsEvents(store.read(streamOf('school', SCHOOL)))) &&
    !(await holdsEvents(store.read(streamOf('account', SCHOOL, lastAccount))))
  );
};

/** The day of the build that was interrupted, else today. @throws StartError if a version whose school had no past began it */
const dayOfBuild = async ({ store }: Backend, today: Date): Promise<Date> => {
  for await (const { metadata } of store.read(streamOf('school', SCHOOL))) {
    const opened = new Date(dated.parse(JSON.parse(metadata)).at);
    const day = builtOn(opened);
    if (openedOn(dayOf(day)).getTime() !== opened.getTime()) throw new StartError(OLDER);
    return day;
  }
  return dayOf(today);
};

const dated = z.object({ at: z.iso.datetime() });

const OLDER = 'An earlier version of Marktrail began to build the demo school here. Use another DATA_DIR, or remove this one.';

const holdsEvents = async (events: AsyncIterable<unknown>): Promise<boolean> => {
  for await (const _event of events) return true;
  return false;
};
