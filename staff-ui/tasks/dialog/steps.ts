import type { Task } from '#api/tasks/task.contract';

/** The steps of a feedback task, as the leader's dialog numbers them. */
export type TaskStep = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const STEPS: readonly { readonly step: TaskStep; readonly title: string; readonly byTeachers?: true }[] = [
  { step: 1, title: 'Assign assessments to classes' },
  { step: 2, title: 'Upload assessment totals' },
  { step: 3, title: 'Initial ranking by department lead' },
  { step: 4, title: 'Teaching staff to check initial ranking', byTeachers: true },
  { step: 5, title: 'Allocate grade profile' },
  { step: 6, title: 'Teaching staff to check grades', byTeachers: true },
  { step: 7, title: 'Final check' },
];

/** Reasons to go on without a class's check, by class. */
export type Reasons = Readonly<Record<string, string>>;

/** Classes whose check the task still waits for, without those that the leader goes on without. */
export const awaited = (task: Pick<Task, 'teacherInput' | 'sets'>, kind: 'ranking' | 'grades', reasons: Reasons): Task['sets'] =>
  task.teacherInput
    ? task.sets.filter((set) => {
        const without = kind === 'ranking' ? set.withoutRanking : set.withoutGrades;
        return set.status < (kind === 'ranking' ? 3 : 5) && without === null && (reasons[set.setId] ?? '').trim() === '';
      })
    : [];

/** The reasons as a command takes them: of classes that are still to check. */
export const withoutOf = (task: Pick<Task, 'sets'>, kind: 'ranking' | 'grades', reasons: Reasons) =>
  task.sets.flatMap(({ setId, status }) => {
    const reason = (reasons[setId] ?? '').trim();
    return reason !== '' && status < (kind === 'ranking' ? 3 : 5) ? [{ setId, reason }] : [];
  });

/** Whether the task may go on from a step; a step that is skipped lets it. */
export const mayContinue = (task: Task, step: TaskStep, reasons: Reasons): boolean => {
  if (task.status === 6) return step < 7;
  if (step === 1) return true;
  if (step === 2) return task.lowest >= 1;
  if (step === 3) return task.lowest >= 2;
  if (step === 4) return task.lowest >= 2 && (task.lowest >= 4 || awaited(task, 'ranking', reasons).length === 0);
  if (step === 5) return task.lowest >= 4;
  return step === 6 && task.lowest >= 4 && awaited(task, 'grades', reasons).length === 0;
};

export const isSkipped = (step: TaskStep, teacherInput: boolean): boolean => !teacherInput && (step === 4 || step === 6);

/** Whether a step can be opened: every step before it lets the task go on. */
export const mayOpen = (task: Task, step: TaskStep, reasons: Reasons): boolean =>
  STEPS.every((one) => one.step >= step || isSkipped(one.step, task.teacherInput) || mayContinue(task, one.step, reasons));

/** The furthest step that can be opened, up to where the task stands. */
export const lastOpen = ({ step, teacherInput }: Pick<Task, 'step' | 'teacherInput'>, canOpen: (step: TaskStep) => boolean): TaskStep =>
  STEPS.findLast((one) => one.step <= step && !isSkipped(one.step, teacherInput) && canOpen(one.step))?.step ?? 1;

export const titleOf = (step: TaskStep): string => STEPS.find((one) => one.step === step)?.title ?? '';

/** The step after this one that is not skipped. */
export const nextStep = (step: TaskStep, teacherInput: boolean): TaskStep =>
  STEPS.find((one) => one.step > step && !isSkipped(one.step, teacherInput))?.step ?? 7;
