import type { Structure } from '#api/structure/structure.contract';
import type { Task } from '#api/task-views/task-answers.contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { mayLeave } from '../../../ui/session/unsaved.ts';
import type { YearGroup } from '../../shell/place.ts';
import { useMayLead } from '../may-lead.ts';
import { AssignStep } from './AssignStep.tsx';
import { CheckStep } from './CheckStep.tsx';
import { FinalStep } from './FinalStep.tsx';
import { GradesStep } from './GradesStep.tsx';
import { RankStep } from './RankStep.tsx';
import type { Reasons, Step } from './steps.ts';
import { mayContinue, mayOpen, nextStep } from './steps.ts';
import { Stepper } from './Stepper.tsx';
import { TotalsStep } from './TotalsStep.tsx';

type TaskDialogProps = {
  /** null: a new one */
  readonly taskId: string | null;
  readonly structure: Structure;
  readonly yearGroup: YearGroup;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** A feedback task from its assessments to its end, in seven steps. Each saves as it goes, and the dialog can be left and opened again. */
export const TaskDialog = ({ taskId, structure, yearGroup, open, onClose }: TaskDialogProps) => {
  /** The id of the one that was made here. */
  const [made, setMade] = useState<string>();
  const current = made ?? taskId ?? undefined;
  const task = useQuestion('task', current === undefined ? undefined : { taskId: current });
  const name = task.data?.name ?? (current === undefined ? 'New feedback task' : 'Feedback task');
  return (
    <Dialog size="wide" persistent mayClose={mayLeave} title={`${name} – Year ${yearGroup.year}`} open={open} onClose={onClose}>
      {current === undefined ? (
        <NewTask structure={structure} yearGroup={yearGroup} onMade={setMade} />
      ) : task.data ? (
        <Steps key={current} task={task.data} structure={structure} yearGroup={yearGroup} justMade={made !== undefined} onClose={onClose} />
      ) : task.error ? (
        <Failure error={task.error} retry={() => void task.refetch()} />
      ) : (
        <Skeleton rows={8} label="Loading the feedback task" />
      )}
    </Dialog>
  );
};

type Place = Pick<TaskDialogProps, 'structure' | 'yearGroup'>;

const NewTask = ({ structure, yearGroup, onMade }: Place & { readonly onMade: (taskId: string) => void }) => (
  <Stepper current={1} canOpen={(step) => step === 1} onOpen={() => undefined} teacherInput>
    <AssignStep task={undefined} structure={structure} yearGroup={yearGroup} onMade={onMade} />
  </Stepper>
);

type StepsProps = Place & { readonly task: Task; readonly justMade: boolean; readonly onClose: () => void };

const Steps = ({ task, structure, yearGroup, justMade, onClose }: StepsProps) => {
  const mayLead = useMayLead();
  const [step, setStep] = useState<Step>(justMade ? 2 : task.step);
  const [rankingReasons, setRankingReasons] = useState<Reasons>({});
  const [gradesReasons, setGradesReasons] = useState<Reasons>({});
  const canOpen = (one: Step) => mayOpen(task, one, one <= 5 ? rankingReasons : { ...rankingReasons, ...gradesReasons });
  /** What the step shows cannot be reached any more: somebody has taken it back meanwhile. */
  const shown = canOpen(step) ? step : task.step;
  const reasons = shown < 6 ? rankingReasons : gradesReasons;
  const contents: Readonly<Record<Step, ReactNode>> = {
    1: <AssignStep task={task} structure={structure} yearGroup={yearGroup} />,
    2: <TotalsStep task={task} />,
    3: <RankStep task={task} />,
    4: <CheckStep task={task} kind="ranking" reasons={rankingReasons} onReasons={setRankingReasons} />,
    5: <GradesStep task={task} reasons={rankingReasons} />,
    6: <CheckStep task={task} kind="grades" reasons={gradesReasons} onReasons={setGradesReasons} />,
    7: <FinalStep task={task} reasons={gradesReasons} onEnd={onClose} />,
  };
  return (
    <Stepper current={shown} canOpen={canOpen} onOpen={(one) => mayLeave() && setStep(one)} teacherInput={task.teacherInput}>
      {contents[shown]}
      {shown < 7 && (
        <p>
          <Button
            look={mayLead ? 'primary' : 'quiet'}
            disabled={!mayContinue(task, shown, reasons)}
            onClick={() => mayLeave() && setStep(nextStep(shown, task.teacherInput))}
          >
            Continue
          </Button>
        </p>
      )}
    </Stepper>
  );
};
