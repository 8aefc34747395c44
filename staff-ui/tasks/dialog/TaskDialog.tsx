import type { Structure } from '#api/school/school.contract';
import type { Task } from '#api/tasks/task.contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { isRefused, sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { useSeen } from '../../../ui/drafts/useDraftStore.ts';
import { leaving, useUnsaved } from '../../../ui/session/unsaved.ts';
import type { YearGroup } from '../../shell/place.ts';
import { useMayLead } from '../may-lead.ts';
import type { Tried } from '../../shell/tried.ts';
import { NotNotifiedNotice } from '../NotNotifiedNotice.tsx';
import type { MadeTask } from './AssessmentsStep.tsx';
import { AssessmentsStep } from './AssessmentsStep.tsx';
import { checkDraftLines, useCheckDrafts } from '../check/check-input.ts';
import type { StandIn } from './CheckStep.tsx';
import { CheckStep } from './CheckStep.tsx';
import { finalDraftLines, useFinalDrafts } from './final-check.ts';
import { FinalStep } from './FinalStep.tsx';
import { GradesStep } from './GradesStep.tsx';
import { RankStep } from './RankStep.tsx';
import { useReasons } from './reasons.ts';
import type { TaskStep } from './steps.ts';
import { lastOpen, mayContinue, mayOpen, nextStep, titleOf, withoutOf } from './steps.ts';
import { WithStepFoot } from './StepFoot.tsx';
import { Stepper } from './Stepper.tsx';
import { TotalsStep } from './TotalsStep.tsx';
import { TypedText } from '../check/TypedText.tsx';

type TaskDialogProps = {
  /** null: a new one */
  readonly taskId: string | null;
  readonly structure: Structure;
  readonly yearGroup: YearGroup;
  /** Tried on the markbook's replay, to be made the ranking: the dialog opens at that step. */
  readonly tried?: Tried | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** A feedback task from its assessments to its end, in seven steps. Each saves as it goes, and the dialog can be left and opened again. */
export const TaskDialog = ({ taskId, structure, yearGroup, tried, open, onClose }: TaskDialogProps) => {
  /** The task that was created in this dialog. */
  const [made, setMade] = useState<MadeTask>();
  const current = made?.taskId ?? taskId ?? undefined;
  const task = useQuestion('task', current === undefined ? undefined : { taskId: current });
  const name = task.data?.name ?? (current === undefined ? 'New feedback task' : 'Feedback task');
  return (
    <Dialog
      size="wide"
      beforeClose={(close) => leaving('page', close)}
      title={`${name} – Year ${yearGroup.year}`}
      open={open}
      onClose={onClose}
    >
      {current === undefined ? (
        <NewTask structure={structure} yearGroup={yearGroup} onMade={setMade} />
      ) : task.data ? (
        <Steps
          key={current}
          task={task.data}
          gone={isRefused(task.error, 'not-found') ? sentence(task.error) : undefined}
          structure={structure}
          yearGroup={yearGroup}
          made={made}
          tried={tried}
          onClose={onClose}
        />
      ) : task.error ? (
        <Failure error={task.error} retry={() => void task.refetch()} />
      ) : (
        <Skeleton rows={8} label="Loading the feedback task" />
      )}
    </Dialog>
  );
};

type Place = Pick<TaskDialogProps, 'structure' | 'yearGroup'>;

const NewTask = ({ structure, yearGroup, onMade }: Place & { readonly onMade: (made: MadeTask) => void }) => (
  <WithStepFoot>
    <Stepper current={1} canOpen={(step) => step === 1} onOpen={() => undefined} teacherInput>
      <AssessmentsStep task={undefined} structure={structure} yearGroup={yearGroup} onMade={onMade} />
    </Stepper>
  </WithStepFoot>
);

type StepsProps = Place & {
  readonly task: Task;
  /** Why the task is gone; undefined: it is still there. */
  readonly gone: string | undefined;
  /** undefined: it was created before */
  readonly made: MadeTask | undefined;
  readonly tried: Tried | undefined;
  readonly onClose: () => void;
};

/** What is typed and not stored yet outlives its step: meanwhile somebody may take the task back, or delete it. */
const Steps = ({ task, gone, structure, yearGroup, made, tried, onClose }: StepsProps) => {
  const mayLead = useMayLead();
  const [step, setStep] = useState<TaskStep>(made ? 2 : tried ? 3 : task.step);
  /** The tests to rank again by; undefined: nobody is about to. */
  const [testsTried, setTestsTried] = useState(tried?.testIds);
  const { reasons: typedReasons, change: setReasons } = useReasons(task.taskId);
  const { ranking: rankingReasons, grades: gradesReasons } = typedReasons;
  const finalDrafts = useFinalDrafts();
  const checkDrafts = useCheckDrafts();
  const [standIn, setStandIn] = useState<StandIn>();
  const triedShares = tried && tried.shares.length > 0 ? tried.shares : undefined;
  /** At first the profile by which grades are allocated, also after they are taken back. */
  const [profileId, setProfileId] = useState(triedShares ? undefined : (task.grades?.gradeProfileId ?? undefined));
  const [gradesSeen, setGradesSeen] = useState(task.grades?.gradesId);
  if (task.grades && task.grades.gradesId !== gradesSeen) {
    setGradesSeen(task.grades.gradesId);
    setProfileId(task.grades.gradeProfileId ?? undefined);
  }
  /** The step that was open when the task was taken back to an earlier one. */
  const [takenFrom, setTakenFrom] = useState<TaskStep>();
  const checkLines = checkDraftLines(useSeen(checkDrafts).drafts);
  const finalLines = finalDraftLines(useSeen(finalDrafts).drafts);
  const canOpen = (one: TaskStep) => mayOpen(task, one, one <= 5 ? rankingReasons : { ...rankingReasons, ...gradesReasons });
  if (!canOpen(step)) {
    setTakenFrom(step);
    if (checkLines.length === 0) setStandIn(undefined);
    setStep(lastOpen(task, canOpen));
  }
  const open = (one: TaskStep) =>
    leaving('part', () => {
      setTakenFrom(undefined);
      setStep(one);
    });
  const reasons = step < 6 ? rankingReasons : gradesReasons;
  const names = new Map(task.sets.map(({ setId, name }) => [setId, name]));
  const reasonsTyped = [...withoutOf(task, 'ranking', rankingReasons), ...withoutOf(task, 'grades', gradesReasons)];
  const typed = [
    ...reasonsTyped.map(({ setId, reason }) => `Going on without ${names.get(setId) ?? 'a class'}: ${reason}`),
    ...(standIn ? checkLines.map((line) => `Check of ${standIn.set.name} – ${line}`) : []),
    ...finalLines,
  ];
  // Reasons are kept when the dialog closes.
  useUnsaved(typed.length > reasonsTyped.length);
  const checkStep = (kind: 'ranking' | 'grades') => (
    <CheckStep
      key={kind}
      task={task}
      kind={kind}
      reasons={typedReasons[kind]}
      onReasons={(to) => setReasons(kind, to)}
      standIn={standIn}
      onStandIn={setStandIn}
      checkDrafts={checkDrafts}
    />
  );
  const contents: Readonly<Record<TaskStep, ReactNode>> = {
    1: <AssessmentsStep task={task} structure={structure} yearGroup={yearGroup} />,
    2: (
      <>
        <NotNotifiedNotice notNotified={made?.notNotified} />
        <TotalsStep task={task} />
      </>
    ),
    3: <RankStep task={task} tried={testsTried} onDone={() => setTestsTried(undefined)} />,
    4: checkStep('ranking'),
    5: (
      <GradesStep
        task={task}
        reasons={rankingReasons}
        onAllocated={() => setReasons('ranking', {})}
        chosen={profileId}
        onChoose={setProfileId}
        tried={triedShares}
      />
    ),
    6: checkStep('grades'),
    7: <FinalStep task={task} reasons={gradesReasons} drafts={finalDrafts} onEnd={onClose} onStored={() => setReasons('grades', {})} />,
  };
  if (gone !== undefined) return <Deleted taskId={task.taskId} text={gone} typed={typed} onClose={() => leaving('page', onClose)} />;
  return (
    <WithStepFoot
      next={
        step < 7 && (
          <Button
            look={mayLead ? 'primary' : 'quiet'}
            disabled={!mayContinue(task, step, reasons)}
            onClick={() => open(nextStep(step, task.teacherInput))}
          >
            Continue
          </Button>
        )
      }
    >
      <Stepper current={step} canOpen={canOpen} onOpen={open} teacherInput={task.teacherInput}>
        {takenFrom !== undefined && (
          <Notice tone="warn" title={`This task was taken back to “${titleOf(step)}”.`}>
            {typed.length > 0 && (
              <>
                <p>What you typed up to “{titleOf(takenFrom)}” is kept while this dialog is open, and not stored yet:</p>
                <TypedText lines={typed} />
              </>
            )}
          </Notice>
        )}
        {contents[step]}
      </Stepper>
    </WithStepFoot>
  );
};

type DeletedProps = {
  readonly taskId: string;
  /** Who deleted it, as a sentence. */
  readonly text: string;
  readonly typed: readonly string[];
  readonly onClose: () => void;
};

/** Shown instead of a task that somebody deletes while it is open. What was typed comes back with the task. */
const Deleted = ({ taskId, text, typed, onClose }: DeletedProps) => {
  const mayLead = useMayLead();
  const { send, pending } = useCommand('RestoreFeedbackTask', {
    input: () => ({ taskId }),
    notice: () => 'The feedback task is there again, as it was.',
  });
  return (
    <div className="stack gap-3 pad">
      <Notice
        tone="warn"
        title={text}
        actions={
          <>
            {mayLead && (
              <Button disabled={pending} onClick={() => void send()}>
                Restore it
              </Button>
            )}
            <Button onClick={onClose}>Back to the feedback tasks</Button>
          </>
        }
      >
        {typed.length > 0 && (
          <>
            <p>What you typed is not stored:</p>
            <TypedText lines={typed} />
          </>
        )}
      </Notice>
    </div>
  );
};
