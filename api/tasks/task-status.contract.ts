/** How far a feedback task is, in words and steps. Pure, and without schemas, so that pages which only show it stay small. */

/** 0 awaiting totals, 1 there are totals, 2 ranked, 3 ranking checked, 4 graded, 5 grades checked, 6 complete. */
export type TaskStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const TEXTS = [
  'Awaiting totals',
  "Totals uploaded: awaiting the subject leader's ranking",
  'Ranking complete: check your class',
  'Ranking checked: awaiting grades',
  'Grades allocated: check your class',
  'Grades checked: awaiting final check',
  'Grades allocated and checked',
] as const satisfies Readonly<Record<TaskStatus, string>>;
const WITHOUT_TEACHERS: Readonly<Partial<Record<TaskStatus, string>>> = {
  2: 'Ranking complete: awaiting grades',
  4: 'Grades allocated: awaiting final check',
};

/** What a teacher's card says. */
export const statusText = (status: TaskStatus, teacherInput: boolean): string =>
  (teacherInput ? undefined : WITHOUT_TEACHERS[status]) ?? TEXTS[status];

type OfTask = { readonly status: TaskStatus; readonly teacherInput: boolean; readonly sets: readonly { readonly status: TaskStatus }[] };

/** What the leader's card says: the text of the mean, and how many of the classes are there. */
export const leaderText = ({ status, teacherInput, sets }: OfTask): string => {
  const there = sets.filter((set) => set.status >= status).length;
  return `${statusText(status, teacherInput)} (${there} of ${sets.length === 1 ? '1 class' : `${sets.length} classes`})`;
};

/** The mean of these statuses of all assessments of all classes, rounded down; 0: there are none. */
export const meanStatus = (statuses: readonly TaskStatus[]): TaskStatus =>
  statuses.length === 0 ? 0 : statusOf(Math.floor(statuses.reduce<number>((all, status) => all + status, 0) / statuses.length));

/** The status by which the Continue buttons go; 0: there are none. */
export const lowestStatus = (statuses: readonly TaskStatus[]): TaskStatus => (statuses.length === 0 ? 0 : statusOf(Math.min(...statuses)));

const ALL: readonly TaskStatus[] = [0, 1, 2, 3, 4, 5, 6];
/** Anything else counts as the nearest. */
export const statusOf = (value: number): TaskStatus => ALL[Math.max(0, Math.min(6, Math.floor(value)))] ?? 0;

/** The step of the stepper at which a task opens, by the mean. */
export const stepOf = (mean: TaskStatus, teacherInput: boolean): 2 | 3 | 4 | 5 | 6 | 7 => {
  if (mean >= 5) return 7;
  if (mean === 4) return teacherInput ? 6 : 7;
  if (mean === 3) return 5;
  if (mean === 2) return teacherInput ? 4 : 5;
  return mean === 1 ? 3 : 2;
};

/** Whether the banner of a class is shown: its teacher has something to check. */
export const awaitsCheck = (status: TaskStatus, teacherInput: boolean): boolean => teacherInput && (status === 2 || status === 4);

/** Days past the expiry, which is the last day; 0: not late, or complete. `today`: YYYY-MM-DD, where the reader is. */
export const daysOverdue = ({ expiry, status }: { readonly expiry: string; readonly status: TaskStatus }, today: string): number =>
  status === 6 ? 0 : Math.max(0, daysBetween(expiry, today));

/** From one day to another, YYYY-MM-DD. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
