import type { Structure } from '#api/school/school.contract';
import type { TaskCard as Task } from '#api/tasks/task.contract';
import { leaderText } from '#api/tasks/task-status.contract';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../moment.ts';
import { lazilyAhead } from '../../ui/lazily.ts';
import { Section } from '../../ui/frame/Page.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import { some } from '../format.ts';
import { useMayLead } from './may-lead.ts';
import type { YearGroup } from '../shell/place.ts';
import { useHasReasons } from './dialog/reasons.ts';
import { Expiry, RankingThen, sinceText, TaskCard } from './TaskCard.tsx';
import { triedIn, withoutTried } from '../shell/tried.ts';
import styles from './Tasks.module.css';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

const TaskDialog = lazilyAhead(() => import('./dialog/TaskDialog.tsx'), 'TaskDialog');

/** The feedback tasks of a year group, for its leader: how far each is, and the way to go on with it. */
export const LeaderTasks = ({ structure, yearGroup }: { readonly structure: Structure; readonly yearGroup: YearGroup }) => {
  const { asOf } = useMoment();
  const tasks = useQuestion('tasks', { yearGroupId: yearGroup.yearGroupId }, asOf);
  const mayLead = useMayLead() && asOf === undefined;
  /** Null: a new one. Each opening starts afresh; a closed one stays, to return the focus. */
  const [search, setSearch] = useSearchParams();
  const tried = mayLead ? triedIn(search) : undefined;
  const [opened, setOpened] = useState<{ readonly taskId: string | null; readonly opening: number } | undefined>(
    tried && { taskId: tried.taskId, opening: 0 },
  );
  const [isShown, setShown] = useState(tried !== undefined);
  useUnsaved(useHasReasons(), 'app');
  const open = (taskId: string | null) => {
    setOpened((before) => ({ taskId, opening: (before?.opening ?? 0) + 1 }));
    setShown(true);
  };
  return (
    <Section title="Feedback tasks">
      {tasks.error && !tasks.data && <Failure error={tasks.error} retry={() => void tasks.refetch()} />}
      {tasks.isPending && <Skeleton rows={3} label="Loading feedback tasks" />}
      {tasks.data && (
        <ul className={styles.cards}>
          {mayLead && (
            <li className={`stack box ${styles.add}`}>
              <p>
                {tasks.data.tasks.length === 0
                  ? 'No feedback task yet. A feedback task ranks the students of a year group by their assessments, and allocates their grades.'
                  : 'Rank the students of the year group once more, by other assessments.'}
              </p>
              <Button onClick={() => open(null)}>Add new task</Button>
            </li>
          )}
          {!mayLead && tasks.data.tasks.length === 0 && <li className={`stack box ${styles.add}`}>No feedback task yet.</li>}
          {tasks.data.tasks.map((task) => (
            <TaskCard
              key={task.taskId}
              name={nameOf(task)}
              status={leaderText(task)}
              done={task.status === 6}
              about={<About task={task} />}
            >
              {asOf === undefined && (
                <Button aria-label={`Open ${nameOf(task)}`} onClick={() => open(task.taskId)}>
                  {mayLead && task.status < 6 ? 'Go on' : 'Open'}
                </Button>
              )}
              {asOf !== undefined && task.status >= 2 && <RankingThen taskId={task.taskId} name={nameOf(task)} />}
              <HistoryLink of={{ id: task.taskId, name: nameOf(task) }} />
              {mayLead && <DeleteTask task={task} />}
            </TaskCard>
          ))}
        </ul>
      )}
      {opened && (
        <Suspense fallback={null}>
          <TaskDialog
            key={opened.opening}
            taskId={opened.taskId}
            structure={structure}
            yearGroup={yearGroup}
            tried={tried?.taskId === opened.taskId ? tried : undefined}
            open={isShown}
            onClose={() => {
              setShown(false);
              if (tried) setSearch(withoutTried, { replace: true });
            }}
          />
        </Suspense>
      )}
    </Section>
  );
};

const nameOf = ({ name }: Pick<Task, 'name'>): string => name ?? 'A task without a name';

const About = ({ task }: { readonly task: Task }) => {
  const lowest = Math.min(...task.sets.map(({ status }) => status));
  const waiting = task.sets.filter(({ status }) => status === lowest);
  const [longest] = waiting.map(({ since }) => since).toSorted();
  return (
    <>
      <Expiry task={task} />
      {lowest < 6 && longest !== undefined && (
        <span>
          {waiting.length < task.sets.length
            ? `Furthest behind, ${sinceText(longest)}: ${some(waiting.map(({ name }) => name))}`
            : `Waiting ${sinceText(longest)}`}
        </span>
      )}
    </>
  );
};

/** Deletes a feedback task after a question that says what would go. Undo brings it back. */
const DeleteTask = ({ task: { taskId, name, status } }: { readonly task: Pick<Task, 'taskId' | 'name' | 'status'> }) => {
  const [isAsked, setAsked] = useState(false);
  const title = name ?? 'the task';
  const { send, pending } = useCommand('DeleteFeedbackTask', {
    input: () => ({ taskId }),
    notice: () => `${title} was deleted.`,
    undo: () => async (command) => {
      await command('RestoreFeedbackTask', { taskId });
      return `${title} is there again, as it was.`;
    },
    onDone: () => setAsked(false),
  });
  return (
    <>
      <Button look="remove" aria-label={`Delete ${title}`} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          title={`Delete ${title}?`}
          go="Delete"
          stay="Keep it"
          removes
          pending={pending}
          onGo={() => void send()}
          onClose={() => setAsked(false)}
        >
          <p>{whatGoes(status)} Totals, marks and prior data stay as they are.</p>
        </Confirm>
      )}
    </>
  );
};

const whatGoes = (status: Task['status']): string => {
  if (status < 2) return 'Its classes and assessments go with it.';
  if (status < 4) return 'The ranking and what teachers have said about it go with it.';
  return 'The ranking, the grades and what teachers have said about them go with it.';
};
