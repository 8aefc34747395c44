import { studentsToldApart } from '#api/contract/names';
import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import type { Task } from '#api/tasks/task.contract';
import { flagsText, MAX_COMMENT, taskMessages } from '#api/tasks/task-fields.contract';
import { statusText } from '#api/tasks/task-status.contract';
import { useRef, useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
import { OvertakenNotice } from '../../../ui/drafts/OvertakenNotice.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Confirm } from '../../../ui/controls/Confirm.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { counted, some } from '../../format.ts';
import { useMayLead } from '../may-lead.ts';
import type { FinalDrafts } from './final-check.ts';
import { isWrong, storedInput, wrongIn } from './final-check.ts';
import { FinalRow } from './FinalRow.tsx';
import type { NamedFlag } from '../ranking/FlaggedTotals.tsx';
import { FlaggedTotals, flagsOf } from '../ranking/FlaggedTotals.tsx';
import { Filtered } from '../ranking/Filtered.tsx';
import { RankingTable } from '../ranking/RankingTable.tsx';
import { Rows } from '../ranking/Rows.tsx';
import { useScoreDialog } from '../ranking/ScoreDialog.tsx';
import type { Reasons } from './steps.ts';
import { awaited, withoutOf } from './steps.ts';
import { Refusal, StepFoot } from './StepFoot.tsx';
import { useFinalCheck } from './useFinalCheck.ts';

type FinalStepProps = {
  readonly task: Task;
  readonly reasons: Reasons;
  readonly drafts: FinalDrafts;
  readonly onEnd: () => void;
  /** The reasons are stored with the end. */
  readonly onStored: () => void;
};

/** Step 7: the leader decides what is open, and ends the task. */
export const FinalStep = (props: FinalStepProps) => {
  const { task } = props;
  const mayLead = useMayLead();
  const ranking = useQuestion('task-ranking', { taskId: task.taskId }, undefined, studentsToldApart);
  if (task.status === 6)
    return (
      <>
        <Notice tone="good" title={statusText(6, task.teacherInput)}>
          <p>This feedback task has ended: nothing changes it any more. It can be deleted.</p>
        </Notice>
        {task.endedContested && (
          <Notice tone="warn" title={endedContestedText(task.endedContested)}>
            <p>{task.endedContested.reason ?? 'The reason was forgotten.'}</p>
          </Notice>
        )}
        <RankingTable task={task} />
      </>
    );
  if (ranking.error && !ranking.data) return <Failure error={ranking.error} retry={() => void ranking.refetch()} />;
  if (!ranking.data) return <Skeleton rows={8} label="Loading the students" />;
  return mayLead ? <Decide {...props} ranking={ranking.data} /> : <RankingTable task={task} />;
};

const endedContestedText = ({ by, totals }: NonNullable<Task['endedContested']>): string =>
  `${by ?? 'Somebody who was forgotten'} ended it while ${totals === 1 ? '1 total was' : `${totals} totals were`} contested:`;

const HEADS = [
  { name: 'Name' },
  { name: 'Class' },
  { name: 'Ranking' },
  { name: 'Score' },
  { name: 'Grade' },
  { name: 'Prior' },
  { name: 'Residual', numeric: true },
  { name: 'Tests sat' },
  { name: 'Teacher rank', numeric: true },
  { name: 'Exempt' },
  { name: 'Flag and comment' },
];

const isComplete = (student: RankedStudent): boolean => !isWrong(wrongIn(storedInput(student), student.left));

const Decide = ({ task, ranking, reasons, drafts, onEnd, onStored }: FinalStepProps & { readonly ranking: TaskRanking }) => {
  const [isEnding, setEnding] = useState(false);
  const [reason, setReason] = useState('');
  const acts = useRef<HTMLDivElement>(null);
  const { explain, dialog } = useScoreDialog(task.taskId);
  const check = useFinalCheck(task, ranking, drafts, {
    onDone: (isEnd) => {
      setEnding(false);
      if (isEnd) onEnd();
    },
    onFailed: () => setEnding(false),
  });
  const { inputOf, wrongOf, changed, overtaken, pending, error } = check;
  const incomplete = ranking.students.filter((student) => isWrong(wrongOf(student)));
  /** Those that came with something missing stand first, also while it is typed. */
  const rows = ranking.students.toSorted((a, b) => Number(isComplete(a)) - Number(isComplete(b)));
  const names = new Map(ranking.sets.map(({ setId, name }) => [setId, name]));
  const waiting = awaited(task, 'grades', reasons);
  const flags = flagsOf(
    ranking,
    ranking.students.filter((student) => !student.left && !inputOf(student).exempt),
  );
  const contested = flags.filter(({ flag }) => flag !== 'above-maximum');
  const totals = [...new Map(contested.map(({ studentId, testId }) => [`${studentId} ${testId}`, { studentId, testId }])).values()];
  const end = async () => {
    const isStored = await check.save({
      without: withoutOf(task, 'grades', reasons),
      ...(totals.length > 0 && { contested: { totals, reason: reason.trim() } }),
    });
    if (isStored) onStored();
  };
  return (
    <>
      {incomplete.length > 0 && (
        <Notice tone="warn" title={taskMessages.incomplete(incomplete.length)}>
          <p>Give them a rank, a score and a grade by hand, or mark them as exempt: then they are left out of the task.</p>
        </Notice>
      )}
      {waiting.length > 0 && <Notice tone="warn" title={taskMessages.notChecked(waiting.map(({ name }) => name))} />}
      {overtaken.keys.size > 0 && (
        <OvertakenNotice
          overtaken={overtaken}
          title={`Decided by somebody else while you typed: ${some(
            changed.flatMap(({ studentId, name }) => (overtaken.keys.has(studentId) ? [name ?? 'a forgotten student'] : [])),
          )}. Yours is not stored.`}
        />
      )}
      {flags.length > 0 && (
        <Notice
          tone="warn"
          title={totals.length > 0 ? taskMessages.contested(totals.length) : `${flagsText(flags.map(({ flag }) => flag))}.`}
        >
          <FlaggedTotals yearGroupId={task.yearGroupId} totals={flags} />
        </Notice>
      )}
      <Filtered students={rows} sets={ranking.sets}>
        {(students) => (
          <Rows
            label="Final check: students"
            heads={HEADS}
            rows={students}
            onEnd={() => acts.current?.querySelector<HTMLElement>('button:enabled')?.focus()}
          >
            {(student) => (
              <FinalRow
                key={student.studentId}
                student={student}
                setName={names.get(student.setId) ?? ''}
                typed={inputOf(student)}
                wrong={wrongOf(student)}
                grades={ranking.grades?.shares.map(({ label }) => label) ?? []}
                onChange={(part) => check.change(student, part)}
                onExplain={() => explain(student)}
              />
            )}
          </Rows>
        )}
      </Filtered>
      {dialog}
      <StepFoot>
        {error !== undefined && !isEnding && <Refusal of={error}>{sentence(error)}</Refusal>}
        <div ref={acts} className="row">
          <Button
            disabled={pending || changed.length === 0 || check.isUnsendable || overtaken.keys.size > 0}
            onClick={() => void check.save()}
          >
            Save{changed.length > 0 && ` (${counted(changed.length, 'student')})`}
          </Button>
          {changed.length > 0 && (
            <Button disabled={pending} onClick={check.discard}>
              Discard changes
            </Button>
          )}
          <Button
            look="danger"
            disabled={pending || incomplete.length > 0 || waiting.length > 0 || overtaken.keys.size > 0}
            onClick={() => setEnding(true)}
          >
            End the task
          </Button>
        </div>
      </StepFoot>
      {isEnding && (
        <EndDialog
          yearGroupId={task.yearGroupId}
          contested={contested}
          totals={totals.length}
          pending={pending}
          reason={reason}
          onReason={setReason}
          onEnd={() => void end()}
          onClose={() => setEnding(false)}
        />
      )}
    </>
  );
};

type EndDialogProps = {
  readonly yearGroupId: string;
  readonly contested: readonly NamedFlag[];
  /** How many totals are contested: several flags may be of one. */
  readonly totals: number;
  readonly pending: boolean;
  /** Why contested totals are gone on with. */
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly onEnd: () => void;
  readonly onClose: () => void;
};

/** Asks before the task is ended, and for a reason where totals are contested. */
const EndDialog = ({ yearGroupId, contested, totals, pending, reason, onReason, onEnd, onClose }: EndDialogProps) => {
  return (
    <Confirm
      title="End the feedback task?"
      go="End the task"
      stay="Not yet"
      removes
      cannot={totals > 0 && reason.trim() === ''}
      pending={pending}
      onGo={onEnd}
      onClose={onClose}
    >
      <p>Are you sure you are done? This will end the feedback task.</p>
      {totals > 0 && (
        <>
          <p>{taskMessages.contested(totals)}</p>
          <FlaggedTotals yearGroupId={yearGroupId} totals={contested} />
          <Field
            label="Why you go on without a decision"
            value={reason}
            maxLength={MAX_COMMENT}
            hint="Stored when the task is ended."
            onChange={({ target }) => onReason(target.value)}
          />
        </>
      )}
    </Confirm>
  );
};
