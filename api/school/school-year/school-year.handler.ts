import { randomUUID } from 'node:crypto';
import { newId } from '../../../events/codec/ids.ts';
import { sameName } from '../../contract/names.ts';
import { validated } from '../../common/problems.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import type { Handlers } from '../../pipeline/command-bus.ts';
import type { Step } from '../../pipeline/jobs.ts';
import { Jobs } from '../../pipeline/jobs.ts';
import type { Request } from '../../pipeline/pipeline.ts';
import { goingOn, setsOfPlan } from './arrangement.rules.ts';
import type { SchoolYearPlan } from './school-year.contract.ts';
import { schoolYearCommands } from './school-year.contract.ts';
import type { SchoolYears } from './school-years.ts';

export type SchoolYearStep = 'ChangeStudents' | 'EmptySets' | 'BeginSchoolYear' | 'ImportStudents';
export type SchoolYearHandlersOptions = {
  readonly jobs: Pick<Jobs<SchoolYearStep>, 'run' | 'holds'>;
  readonly schoolYears: SchoolYears;
};

/** A new school year is one act: students leave and merge, then the classes change, then who is to be in a new set, or new, comes. */
export const schoolYearHandlers = ({ jobs, schoolYears }: SchoolYearHandlersOptions): Required<Handlers<'BeginSchoolYear', Request>> => ({
  async BeginSchoolYear(sent: Request): Promise<CommandAnswer<unknown>> {
    const request = { ...sent, key: sent.key ?? randomUUID() };
    const { actor, key } = request;
    const { subjectId, plan, version } = validated(schoolYearCommands.BeginSchoolYear.input, request.body);
    const { jobId, step } = Jobs.ids(request);
    const steps = stepsOf(subjectId, plan, (index) => step(index));
    const run = () => jobs.run(request, steps);
    const isRepeated = await jobs.holds(request, steps);
    const answers = await (isRepeated ? run() : schoolYears.carryOut({ actor, subjectId, plan, version, key }, run));
    if (isRepeated) await schoolYears.end({ schoolId: actor.schoolId, subjectId, jobId });
    const position = answers.findLast((answer) => answer.position !== null)?.position ?? null;
    return { position, revision: null, result: { actId: jobId } };
  },
});

/** @param commandOf the id of a step's command */
const stepsOf = (subjectId: string, plan: SchoolYearPlan, commandOf: (index: number) => string): readonly Step<SchoolYearStep>[] => {
  const going = goingOn(plan);
  const idOf = (name: string): string | undefined => going.find((set) => sameName(set.name, name))?.setId;
  const ending = plan.sets.flatMap(({ setId, becomes }) => ('name' in becomes ? [] : [{ setId, into: becomes.into }]));
  const merged = Map.groupBy(ending, ({ into }) => (into === null ? undefined : idOf(into)));
  const isNew = ({ to }: SchoolYearPlan['students'][number]): boolean => to !== null && idOf(to) === undefined;
  const change = (changes: readonly object[]): readonly Step<SchoolYearStep>[] =>
    changes.length === 0 ? [] : [{ name: 'ChangeStudents', body: { subjectId, changes } }];
  const before: readonly Step<SchoolYearStep>[] = [
    ...change(
      plan.students
        .filter((student) => !isNew(student))
        .map(({ studentId, to }) => ({ studentId, place: to === null ? 'off-roll' : { setId: idOf(to) } })),
    ),
    ...[...merged].map(([setId, sets]) => ({
      name: 'EmptySets' as const,
      body: { subjectId, of: { setIds: sets.map((set) => set.setId) }, ...(setId === undefined ? {} : { to: { setId } }) },
    })),
  ];
  const begins = commandOf(before.length);
  const next = setsOfPlan(plan, (label) => newId(begins, label));
  const { intake } = plan;
  return [
    ...before,
    { name: 'BeginSchoolYear', body: { subjectId, plan, version: null } },
    ...change(
      plan.students
        .filter(isNew)
        .map(({ studentId, to }) => ({ studentId, place: { setId: next.find(({ name }) => sameName(name, to ?? ''))?.setId } })),
    ),
    ...(intake ? [{ name: 'ImportStudents' as const, body: { subjectId, ...intake, others: 'keep' } }] : []),
  ];
};
