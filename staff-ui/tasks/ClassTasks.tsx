import type { TaskCard as Task, TaskCardSet } from '#api/tasks/task-answers.contract';
import { awaitsCheck, statusText } from '#api/tasks/task-status.contract';
import { Suspense, useState } from 'react';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Section } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import type { SchoolSet } from '../shell/place.ts';
import { TrackerButton } from '../marks/tracker/TrackerButton.tsx';
import { useUploadDialogs } from '../marks/upload/request.ts';
import type { CheckDrafts } from './check/check-input.ts';
import { NO_CHECK_DRAFTS } from './check/check-input.ts';
import { Expiry, sinceText, TaskCard } from './TaskCard.tsx';
import styles from './Tasks.module.css';
import { ShareTask } from './ShareTask.tsx';

const CheckDialog = lazily(() => import('./check/CheckDialog.tsx'), 'CheckDialog');

/** So many classes at most are shown at once; of more, one is chosen. */
const MOST_CLASSES = 8;

/** The feedback tasks of classes, for their teacher: what is to be done, and the ways to do it. */
export const ClassTasks = ({ sets }: { readonly sets: readonly SchoolSet[] }) => (
  <Section title="Feedback tasks">
    {sets.length > MOST_CLASSES ? (
      <p className={styles.none}>Choose a class to see its feedback tasks.</p>
    ) : (
      sets.map((set) => <OfClass key={set.setId} set={set} isOnly={sets.length === 1} />)
    )}
  </Section>
);

type Check = 'ranking' | 'grades';

const OfClass = ({ set, isOnly }: { readonly set: SchoolSet; readonly isOnly: boolean }) => {
  const tasks = useQuestion('tasks', { setId: set.setId });
  /** Beside the cards: the check that is open outlives its card, which goes when the task is deleted. */
  const [checked, setChecked] = useState<{ readonly taskId: string; readonly kind: Check }>();
  const [isShown, setShown] = useState(false);
  const [drafts, setDrafts] = useState<CheckDrafts>(NO_CHECK_DRAFTS);
  if (tasks.error && !tasks.data) return <Failure error={tasks.error} retry={() => void tasks.refetch()} />;
  if (!tasks.data) return <Skeleton rows={2} label={`Loading feedback tasks of ${set.name}`} />;
  const waiting = tasks.data.tasks.filter(({ status, teacherInput }) => awaitsCheck(status, teacherInput));
  const check = (taskId: string, kind: Check) => {
    setChecked({ taskId, kind });
    setShown(true);
  };
  return (
    <>
      {waiting.length > 0 && (
        <Notice
          tone="warn"
          title={`${set.name}: ${waiting.length === 1 ? 'a feedback task awaits' : `${waiting.length} feedback tasks await`} your check`}
        />
      )}
      {tasks.data.tasks.length === 0 && isOnly && (
        <p className={styles.none}>No feedback task for this class yet: the subject leader adds it.</p>
      )}
      {tasks.data.tasks.length > 0 && (
        <ul className={styles.cards}>
          {tasks.data.tasks.map((task) => {
            const of = task.sets.find(({ setId }) => setId === set.setId);
            return (
              of && (
                <ClassTask key={task.taskId} task={task} of={of} set={set} isOnly={isOnly} onCheck={(kind) => check(task.taskId, kind)} />
              )
            );
          })}
        </ul>
      )}
      {checked && (
        <Suspense fallback={null}>
          <CheckDialog
            key={`${checked.taskId} ${checked.kind}`}
            taskId={checked.taskId}
            set={set}
            kind={checked.kind}
            open={isShown}
            drafts={drafts}
            onDrafts={setDrafts}
            onClose={() => setShown(false)}
          />
        </Suspense>
      )}
    </>
  );
};

type ClassTaskProps = {
  readonly task: Task;
  readonly of: TaskCardSet;
  readonly set: SchoolSet;
  readonly isOnly: boolean;
  readonly onCheck: (kind: Check) => void;
};

const ClassTask = ({ task, of, set, isOnly, onCheck }: ClassTaskProps) => {
  const { me } = useSession();
  const { open, mayUpload } = useUploadDialogs();
  const name = task.name ?? 'A task without a name';
  const isReader = me.role === 'auditor';
  const missing = of.tests.filter(({ entered }) => entered < of.students);
  return (
    <TaskCard
      name={isOnly ? name : `${name} – ${set.name}`}
      status={statusText(of.status, task.teacherInput)}
      done={of.status === 6}
      about={
        <>
          {of.status < 6 && <span>Waiting {sinceText(of.since)}</span>}
          <Expiry task={{ expiry: task.expiry, status: of.status }} />
          {of.tests.map((test) => (
            <span key={test.testId} className={styles.test}>
              {test.name}: {test.entered} of {of.students} have a total
              <TrackerButton look="plain" test={test} sets={[set]} />
            </span>
          ))}
        </>
      }
    >
      {mayUpload && set.mayWrite && of.status < 6 && missing.length > 0 && (
        <Button
          aria-label={`Upload totals of ${set.name}: ${name}`}
          onClick={() =>
            open({ kind: 'totals', setId: set.setId, ...(missing.length === 1 && missing[0] ? { testId: missing[0].testId } : {}) })
          }
        >
          Upload Totals
        </Button>
      )}
      {task.teacherInput && of.status >= 2 && !isReader && (
        <Button
          look={of.status === 2 ? 'primary' : 'quiet'}
          aria-label={`Check the ranking of ${set.name}: ${name}`}
          onClick={() => onCheck('ranking')}
        >
          {of.status <= 3 ? 'Check the ranking' : 'See the ranking'}
        </Button>
      )}
      {task.teacherInput && of.status >= 4 && !isReader && (
        <Button
          look={of.status === 4 ? 'primary' : 'quiet'}
          aria-label={`Check the grades of ${set.name}: ${name}`}
          onClick={() => onCheck('grades')}
        >
          {of.status <= 5 ? 'Check the grades' : 'See the grades'}
        </Button>
      )}
      {of.status < 6 && <ShareTask tests={of.tests} />}
    </TaskCard>
  );
};
