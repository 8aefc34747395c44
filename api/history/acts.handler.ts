import { randomUUID } from 'node:crypto';
import { newId } from '../../events/codec/ids.ts';
import type { ReadSubjectEvent } from '../../events/school/subject.ts';
import { subject } from '../../events/school/subject.ts';
import { subjectWithActs } from '../../events/school/subject-acts.ts';
import type { ReadRosterEvent } from '../../events/students/roster.ts';
import type { RosterWithActs } from '../../events/students/roster-acts.ts';
import { rosterWithActs } from '../../events/students/roster-acts.ts';
import type { Actor } from '../actor.ts';
import type { Refused } from '../common/command.ts';
import type { RunSql } from '../common/facts.ts';
import { isThere, NO_SUBJECT } from '../common/of-subject.ts';
import { ProblemError, validated } from '../common/problems.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Handlers } from '../pipeline/command-bus.ts';
import type { Step } from '../pipeline/jobs.ts';
import { Jobs } from '../pipeline/jobs.ts';
import type { Pipeline, Request } from '../pipeline/pipeline.ts';
import type { ActUndone } from '../school/school.contract.ts';
import { structureCommands } from '../school/school.contract.ts';
import type { SchoolYearStep } from '../school/school-year/school-year.handler.ts';
import { setsCommands } from '../school/sets/sets.contract.ts';
import { NO_SUCH_CHANGE, structureUndo, whatStays } from '../school/undo.rules.ts';
import type { RosterChangeUndone } from '../students/students.contract.ts';
import { rosterCommands } from '../students/students.contract.ts';
import { undoPlan } from '../students/undo.rules.ts';

/** The steps of jobs. */
export type StepName =
  | SchoolYearStep
  | 'AddYearGroup'
  | 'AddSets'
  | 'DeleteSet'
  | 'DeleteYearGroup'
  | 'RestoreSet'
  | 'RestoreYearGroup'
  | 'UndoAct'
  | 'UndoRosterChange'
  | 'LetTeacherLeave'
  | 'CloseStaffAccount';
type ActCommand = 'DeleteSet' | 'DeleteYearGroup' | 'RestoreSet' | 'RestoreYearGroup' | 'ImportStudents' | 'UndoAct';

export type ActHandlersOptions = {
  readonly pipeline: Pick<Pipeline<StepName>, 'authorise' | 'execute' | 'look' | 'requireRight'>;
  readonly jobs: Jobs<StepName>;
  /** Reads the record once it has reached the end of the log. */
  readonly readNow: <Result>(schoolId: string, work: (query: RunSql) => Promise<Result>) => Promise<Result>;
};

/** The command that undoes a step: by its stream, which the subject or the school's roster is. An account is closed for good. */
export const undoOfStep = ({ name, body }: Step<StepName>, commandId: string): Step<StepName> | undefined => {
  if (name === 'CloseStaffAccount') return undefined;
  const { subjectId } = body as { readonly subjectId: string };
  const isOfRoster = ['ChangeStudents', 'ImportStudents', 'EmptySets', 'UndoRosterChange'].includes(name);
  return undoIn(isOfRoster ? 'roster' : 'subject', { subjectId, commandId });
};

type Command = { readonly subjectId: string; readonly commandId: string };

const undoIn = (category: string, { subjectId, commandId }: Command): Step<StepName> =>
  category === 'roster'
    ? { name: 'UndoRosterChange', body: { subjectId, commandId } }
    : { name: 'UndoAct', body: { subjectId, actId: commandId, partly: true } };

/** Acts that write to a subject and to the roster: all of it, or nothing. */
export const actHandlers = (options: ActHandlersOptions): Required<Handlers<ActCommand, Request>> => {
  const { pipeline, jobs } = options;
  const inOne = (name: 'DeleteSet' | 'DeleteYearGroup', of: 'setId' | 'yearGroupId') => async (sent: Request) => {
    const request = { ...sent, key: sent.key ?? randomUUID() };
    const { offRoll, subjectId, ...thing } = validated(deletions[name], request.body);
    if (!offRoll) return pipeline.execute(name, request);
    const id = { [of]: Reflect.get(thing, of) as string };
    const answers = await jobs.run(request, [
      { name: 'EmptySets', body: { subjectId, of: id } },
      { name, body: { subjectId, ...id } },
    ]);
    return { ...together(answers), result: { actId: Jobs.ids(request).jobId } };
  };
  /** With the students who left for its deletion, where these were one act. */
  const restored = (name: 'RestoreSet' | 'RestoreYearGroup', of: 'setId' | 'yearGroupId') => async (request: Request) => {
    const { subjectId, ...thing } = validated(restorations[name], request.body);
    const id = Reflect.get(thing, of) as string;
    const commands = await options.readNow(request.actor.schoolId, (query) => emptiedBy(query, subjectId, id));
    if (commands.length === 0 || request.actor.role !== 'admin') return pipeline.execute(name, request);
    const [, ...students] = commands.map(({ category, commandId }) => undoIn(category, { subjectId, commandId }));
    const answers = await jobs.run(request, [{ name, body: { subjectId, ...thing } }, ...students]);
    return { ...together(answers), result: {} };
  };
  return {
    DeleteSet: inOne('DeleteSet', 'setId'),
    DeleteYearGroup: inOne('DeleteYearGroup', 'yearGroupId'),
    RestoreSet: restored('RestoreSet', 'setId'),
    RestoreYearGroup: restored('RestoreYearGroup', 'yearGroupId'),

    async ImportStudents(sent: Request): Promise<CommandAnswer<unknown>> {
      const request = { ...sent, key: sent.key ?? randomUUID() };
      const input = validated(rosterCommands.ImportStudents.input, request.body);
      const { subjectId, make } = input;
      if (make.length === 0) return pipeline.execute('ImportStudents', request);
      const { jobId, step } = Jobs.ids(request);
      const years = [...new Set(make.flatMap(({ in: place }) => ('year' in place ? place.year : [])))];
      const yearGroupIds = new Map(years.map((year, index) => [year, newId(step(index), 'year-group')]));
      const answers = await jobs.run(request, [
        ...years.map((year) => ({ name: 'AddYearGroup' as const, body: { subjectId, year } })),
        ...make.map(({ in: place, ...sets }) => ({
          name: 'AddSets' as const,
          body: { subjectId, yearGroupId: 'year' in place ? yearGroupIds.get(place.year) : place.yearGroupId, ...sets },
        })),
        { name: 'ImportStudents', body: input },
      ]);
      // What undoes it is the job as a whole.
      return { ...together(answers), result: { ...(answers.at(-1)?.result as object), commandId: jobId } };
    },

    async UndoAct(request: Request): Promise<CommandAnswer<unknown>> {
      const { actor } = request;
      const { subjectId, actId, partly } = validated(structureCommands.UndoAct.input, request.body);
      await pipeline.requireRight('UndoAct', actor, subjectId);
      if (!isThere(await pipeline.look(subject, actor.schoolId, subjectId))) throw new ProblemError('not-found', NO_SUBJECT);
      const all = await options.readNow(actor.schoolId, (query) => commandsOf(query, subjectId, actId));
      const commands = all.filter(({ category }) => category !== 'staff');
      for (const { category } of commands) pipeline.authorise(undoIn(category, { subjectId, commandId: actId }).name, actor);
      if (commands.length === 0) throw new ProblemError('not-found', NO_SUCH_CHANGE);
      const plan = await undoOf(options, actor, subjectId, commands);
      const stays = [...plan.stays, ...(all.length > commands.length ? [LOG_IN_CLOSED] : [])];
      const said = [...leaving(plan.leave), ...plan.loses, ...stays];
      const steps = commands.map(({ category, commandId }) => undoIn(category, { subjectId, commandId }));
      // A repeated request has been decided about, and finds nothing left to undo.
      const isDecided = (partly && plan.something) || (await jobs.holds(request, steps));
      if (said.length > 0 && !isDecided) throw asProblem(whatStays(plan.something, said));
      const answers = await jobs.run(request, steps, actId);
      const results = answers.map(({ result }) => result as Partial<ActUndone & RosterChangeUndone>);
      const result: ActUndone = {
        already: results.every(({ already }) => already),
        students: results.reduce((sum, { students = 0 }) => sum + students, 0),
        stays,
      };
      return { ...together(answers), result };
    },
  };
};

const deletions = { DeleteSet: setsCommands.DeleteSet.input, DeleteYearGroup: structureCommands.DeleteYearGroup.input };

const restorations = { RestoreSet: setsCommands.RestoreSet.input, RestoreYearGroup: structureCommands.RestoreYearGroup.input };

const LOG_IN_CLOSED = 'The log-in stays closed: invite the person again under Manage Users.';

/** @returns the position of the last event */
export const together = (answers: readonly CommandAnswer<unknown>[]): Omit<CommandAnswer<unknown>, 'result'> => ({
  position: answers.findLast(({ position }) => position !== null)?.position ?? null,
  revision: null,
});

const asProblem = ({ code, title, asks }: Refused): ProblemError => new ProblemError(code, title, { asks });

type OfAct = { readonly commandId: string; readonly category: string };

/** The commands of an act, the last first. */
const commandsOf = (query: RunSql, subjectId: string, actId: string): Promise<readonly OfAct[]> =>
  query<OfAct>(
    `select command_id as "commandId", split_part(stream, '-', 1) as category
       from record where school_id = $1 and act_id = $2 and (subject_id = $3 or subject_id is null) and split_part(stream, '-', 1) in ('roster', 'subject', 'staff')
      group by 1, 2 order by max(position) desc`,
    [actId, subjectId],
  );

/** The commands of the act that deleted this last, the last first, if it moved the students to Off-Roll first; else none. */
const emptiedBy = (query: RunSql, subjectId: string, id: string): Promise<readonly OfAct[]> =>
  query<OfAct>(
    `with deletion as (
       select r.act_id, r.command_id from record_things t join record r on r.school_id = $1 and r.position = t.position
        where t.school_id = $1 and t.thing = $2 and r.type in ('SetDeleted', 'YearGroupDeleted') and r.subject_id = $3
        order by t.position desc limit 1)
     select r.command_id as "commandId", split_part(r.stream, '-', 1) as category
       from record r join deletion d on r.act_id = d.act_id
      where r.school_id = $1 and d.act_id <> d.command_id
      group by 1, 2
     having not exists (select from record o join deletion d on o.act_id = d.act_id
                         where o.school_id = $1 and o.type not in ('SetDeleted', 'YearGroupDeleted', 'StudentTakenOffRoll', 'StudentsImported'))
      order by max(r.position) desc`,
    [id, subjectId],
  );

type UndoOfAct = {
  readonly stays: readonly string[];
  readonly loses: readonly string[];
  readonly leave: number;
  readonly something: boolean;
};

/** From so many on, students who leave the subject by an undo are said before it begins. */
const MANY = 20;
const leaving = (students: number): readonly string[] =>
  students < MANY ? [] : [`${students} students leave this subject, with their results. Redo brings them back.`];

/** What undoing commands would leave as it is, and whether it would change anything. */
const undoOf = async (
  { pipeline, readNow }: ActHandlersOptions,
  { schoolId }: Actor,
  subjectId: string,
  commands: readonly OfAct[],
): Promise<UndoOfAct> => {
  const structure = structuredClone(await pipeline.look(subjectWithActs, schoolId, subjectId));
  const students = structuredClone(await pipeline.look(rosterWithActs, schoolId));
  const schemes = await readNow(schoolId, (query) =>
    query<{ id: string }>('select scheme_id as id from schemes where school_id = $1 and subject_id = $2', [subjectId]),
  );
  const schemeIds = schemes.map(({ id }) => id);
  const stays: string[] = [];
  const loses: string[] = [];
  let something = false;
  let leave = 0;
  for (const { category, commandId } of commands) {
    if (category === 'roster') {
      const act = students.acts.get(commandId);
      const facts = { sets: [...structure.sets].map(([setId, { name }]) => ({ setId, name })) };
      const plan = act && undoPlan(act, subjectId, students, facts);
      if (!plan) continue;
      // Safe: of the metadata the folds read the id of the command only.
      const event = { type: 'RosterCommandUndone', data: { subjectId, commandId, ...plan.lists }, metadata: { commandId: randomUUID() } };
      rosterWithActs.evolve(students, event as ReadRosterEvent);
      leave += plan.lists.removed.length;
      something ||= plan.flagged > 0;
      const since = plan.lists.changedSince.length;
      if (since > 0) stays.push(`${since} student${since === 1 ? ' was' : 's were'} changed again since: that stays.`);
      stays.push(...plan.inTheWay);
    } else {
      const plan = structureUndo(commandId, structure, { schemeIds, students: occupied(students, subjectId) });
      if (!plan) continue;
      for (const event of plan.events) subject.evolve(structure, { ...event, metadata: { commandId } } as ReadSubjectEvent);
      something ||= plan.events.length > 0;
      stays.push(...plan.stays);
      loses.push(...plan.loses);
    }
  }
  return { stays, loses, leave, something };
};

/** How many students are in each set. */
const occupied = ({ students }: RosterWithActs, subjectId: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { enrolments } of students.values()) {
    const place = enrolments.get(subjectId);
    if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
};
