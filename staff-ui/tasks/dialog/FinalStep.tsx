import { studentsToldApart } from '#api/contract/names';
import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import type { Task } from '#api/tasks/task.contract';
import { flagsText, MAX_COMMENT, taskMessages } from '#api/tasks/task-fields.contract';
import { statusText } from '#api/tasks/task-status.contract';
import { useRef, useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
import { overtakenIn } from '../../../ui/drafts/overtaken.ts';
import { OvertakenNotice } from '../../../ui/drafts/OvertakenNotice.tsx';
import { discardAll, discardWhere, rebaseOn, useSeen } from '../../../ui/drafts/useDraftStore.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { counted, some } from '../../format.ts';
import { useMayLead } from '../may-lead.ts';
import type { FinalDrafts, FinalInput, FinalSeen } from './final-check.ts';
import {
  decisionOf,
  gradeAfterRank,
  isDecisionOvertaken,
  isSameFinalInput,
  isStored,
  isWrong,
  seenAfter,
  seenNow,
  storedInput,
  inputAbout,
  withInput,
  wrongIn,
} from './final-check.ts';
import { FinalRow } from './FinalRow.tsx';
import { FlaggedTotals, flagsOf } from '../ranking/FlaggedTotals.tsx';
import { Filtered } from '../ranking/Filtered.tsx';
import { RankingTable } from '../ranking/RankingTable.tsx';
import { Rows } from '../ranking/Rows.tsx';
import { useScoreDialog } from '../ranking/ScoreDialog.tsx';
import type { Reasons } from './steps.ts';
import { awaited, withoutOf } from './steps.ts';
import styles from '../Steps.module.css';
import { Refusal, StepFoot } from './StepFoot.tsx';

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

/** How the fields about some students read when they are sent, and whether the task is ended with that. */
type Sent = {
  readonly decisions: readonly { readonly student: RankedStudent; readonly typed: FinalInput; readonly seen: FinalSeen }[];
  readonly isEnd: boolean;
};

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

const Decide = ({ task, ranking, reasons, drafts: store, onEnd, onStored }: FinalStepProps & { readonly ranking: TaskRanking }) => {
  const { drafts } = useSeen(store);
  const [isAsked, setAsked] = useState(false);
  /** to end the task although totals are contested */
  const [reason, setReason] = useState('');
  const acts = useRef<HTMLDivElement>(null);
  const { explain, dialog } = useScoreDialog(task.taskId);
  const typedOf = (student: RankedStudent): FinalInput => inputAbout(student, drafts[student.studentId]);
  const seenOf = (student: RankedStudent): FinalSeen => drafts[student.studentId]?.saw ?? seenNow(student);
  const changed = ranking.students.filter((student) => !isSameFinalInput(typedOf(student), storedInput(student)));
  const open = ranking.students.filter((student) => isWrong(wrongIn(typedOf(student), student.left)));
  const isOpenAtFirst = (student: RankedStudent) => isWrong(wrongIn(storedInput(student), student.left));
  const rows = [...ranking.students.filter(isOpenAtFirst), ...ranking.students.filter((student) => !isOpenAtFirst(student))];
  const names = new Map(ranking.sets.map(({ setId, name }) => [setId, name]));
  const waiting = awaited(task, 'grades', reasons);
  const flags = flagsOf(
    ranking,
    ranking.students.filter((student) => !student.left && !typedOf(student).exempt),
  );
  const contested = flags.filter(({ flag }) => flag !== 'above-maximum');
  const cells = [...new Map(contested.map(({ studentId, testId }) => [`${studentId} ${testId}`, { studentId, testId }])).values()];
  const clear = () => discardAll(store);
  const { send, pending, error } = useSend({
    showsError: true,
    act: async ({ decisions, isEnd }: Sent, command) => {
      const rows = decisions.map(({ student, typed, seen }) => decisionOf(student, typed, seen));
      if (rows.length > 0) await command('DecideResults', { taskId: task.taskId, rows });
      if (isEnd)
        await command('CompleteTask', {
          taskId: task.taskId,
          without: withoutOf(task, 'grades', reasons),
          ...(cells.length > 0 && { contested: { totals: cells, reason: reason.trim() } }),
        });
    },
    invalidates: 'everything',
    notice: (_, { isEnd }) => (isEnd ? `${statusText(6, task.teacherInput)}. The feedback task has ended.` : 'Saved.'),
    onDone: (_, { decisions, isEnd }) => {
      setAsked(false);
      if (isEnd) {
        clear();
        onEnd();
      }
      rebaseOn(
        store,
        decisions.map(({ student, typed }) => [student.studentId, seenAfter(student, typed)]),
      );
    },
    onFailed: () => setAsked(false),
  });
  /** What is stored stays in the fields until the results are read anew; what was typed over it meanwhile stays for longer. */
  const save = async (isEnd: boolean) => {
    const decisions = changed.map((student) => ({ student, typed: typedOf(student), seen: seenOf(student) }));
    if (!(await send({ decisions, isEnd }))) return;
    discardWhere(store, isStored);
    if (isEnd) onStored();
  };
  /** While it is sent, it is one's own decision that comes back. */
  const overtaken = overtakenIn(
    store,
    pending ? [] : changed.map((student) => [student.studentId, seenNow(student)] as const),
    ({ saw }, now) => isDecisionOvertaken(saw, now),
  );
  /** A half-typed number may be wrong for a while; a saved field may be empty, never invalid. */
  const isUnsendable = changed.some((student) => {
    const wrong = wrongIn(typedOf(student), student.left);
    const one = typedOf(student);
    return (wrong.ranking !== undefined && one.ranking.trim() !== '') || (wrong.score !== undefined && one.score.trim() !== '');
  });
  const change = (student: RankedStudent, part: Partial<FinalInput>) => {
    const grade = part.ranking === undefined ? undefined : gradeAfterRank(ranking, student.grade, typedOf(student), part.ranking);
    const draft = withInput(drafts[student.studentId], student, { ...(grade !== undefined && { grade }), ...part }, pending);
    if (draft) store.put({ [student.studentId]: draft });
    else store.discard([student.studentId]);
  };
  return (
    <>
      {open.length > 0 && (
        <Notice tone="warn" title={taskMessages.incomplete(open.length)}>
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
        <Notice tone="warn" title={flagsTitle(flags.length - contested.length, cells.length)}>
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
                typed={typedOf(student)}
                wrong={wrongIn(typedOf(student), student.left)}
                grades={ranking.grades?.shares.map(({ label }) => label) ?? []}
                onChange={(part) => change(student, part)}
                onExplain={() => explain(student)}
              />
            )}
          </Rows>
        )}
      </Filtered>
      {dialog}
      <StepFoot>
        {error !== undefined && !isAsked && <Refusal of={error}>{sentence(error)}</Refusal>}
        <div ref={acts} className={styles.acts}>
          <Button disabled={pending || changed.length === 0 || isUnsendable || overtaken.keys.size > 0} onClick={() => void save(false)}>
            Save{changed.length > 0 && ` (${counted(changed.length, 'student')})`}
          </Button>
          {changed.length > 0 && (
            <Button disabled={pending} onClick={clear}>
              Discard changes
            </Button>
          )}
          <Button
            look="danger"
            disabled={pending || open.length > 0 || waiting.length > 0 || overtaken.keys.size > 0}
            onClick={() => setAsked(true)}
          >
            End the task
          </Button>
        </div>
      </StepFoot>
      <Dialog title="End the feedback task?" open={isAsked} onClose={() => setAsked(false)}>
        <p className={styles.ask}>Are you sure you are done? This will end the feedback task.</p>
        {cells.length > 0 && (
          <div className={styles.explained}>
            <p>{taskMessages.contested(cells.length)}</p>
            <FlaggedTotals yearGroupId={task.yearGroupId} totals={contested} />
            <Field
              label="Why you go on without a decision"
              value={reason}
              maxLength={MAX_COMMENT}
              hint="Stored when the task is ended."
              onChange={({ target }) => setReason(target.value)}
            />
          </div>
        )}
        <DialogFoot>
          <Button onClick={() => setAsked(false)}>Not yet</Button>
          <Button look="danger" disabled={pending || (cells.length > 0 && reason.trim() === '')} onClick={() => void save(true)}>
            End the task
          </Button>
        </DialogFoot>
      </Dialog>
    </>
  );
};

const flagsTitle = (above: number, contested: number): string =>
  contested > 0 ? taskMessages.contested(contested) : flagsText(Array.from({ length: above }, () => 'above-maximum' as const)) + '.';
