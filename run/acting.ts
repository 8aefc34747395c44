import type { AccountRequest } from '../api/auth/auth.ts';
import { startSweeping } from '../api/auth/identity/housekeeping.ts';
import type { Commands } from '../api/commands.ts';
import { ProblemError } from '../api/common/problems.ts';
import { schoolDay } from '../api/contract/dates.ts';
import type { StepName } from '../api/history/acts.handler.ts';
import type { Jobs } from '../api/pipeline/jobs.ts';
import type { SchoolYears } from '../api/school/school-year/school-years.ts';
import { sayable } from '../events/store/postgres/without-values.ts';

type ActingOptions = {
  readonly jobs: Pick<Jobs<StepName>, 'goOn'>;
  readonly schoolYears: Pick<SchoolYears, 'due'>;
  readonly bus: Pick<Commands<AccountRequest>, 'execute'>;
  /** Prints a line on the console. */
  readonly tell: (line: string) => void;
};

const EVERY_MS = 60_000;

/** What is done without anybody asking for it now: acts that were begun are finished, at the start and each minute, and school years begin. */
export const startActing = ({ jobs, schoolYears, bus, tell }: ActingOptions): ReturnType<typeof startSweeping> => {
  let isStart = true;
  return startSweeping(async () => {
    const seconds = isStart ? 0 : EVERY_MS / 1_000;
    isStart = false;
    await jobs.goOn(
      (error) => tell(`An act that was begun is not finished yet; it is tried again in a minute (${sayable(error)}).`),
      seconds,
    );
    for (const { actor, key, ...body } of await schoolYears.due(schoolDay(new Date())))
      await bus.execute('BeginSchoolYear', { actor, key, body }).catch((error: unknown) => {
        // What is in the way is kept with the plan.
        if (!(error instanceof ProblemError)) tell(`A school year did not begin; it is tried again in a minute (${sayable(error)}).`);
      });
  }, EVERY_MS);
};
