import { readsOnly } from '../../ui/roles.ts';
import type { TaskCard as Task, TaskCardSet } from '#api/tasks/task.contract';
import { statusText } from '#api/tasks/task-status.contract';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Suspense, useState } from 'react';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { lazilyAhead } from '../../ui/lazily.ts';
import { Section } from '../../ui/frame/Page.tsx';
import { useMoment } from '../moment.ts';
import { useSession } from '../../ui/session/Session.tsx';
import type { SchoolSet } from '../shell/place.ts';
import { TrackerButton } from '../marks/tracker/TrackerButton.tsx';
import { useUploadDialogs } from '../marks/upload/request.ts';
import { useCheckDrafts } from './check/check-input.ts';
import { Expiry, RankingThen, sinceText, TaskCard } from './TaskCard.tsx';
import styles from './Tasks.module.css';
import { ShareTask } from './ShareTask.tsx';
import { awaitedOf, isMissing } from './waiting.ts';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

const CheckDialog = lazilyAhead(() => import('./check/CheckDialog.tsx'), 'CheckDialog');

/** With more classes than these, one has to be chosen before its tasks are shown. */
const MOST_CLASSES = 8;

type ClassTasksProps = {
  /** All classes of the teacher. */
  readonly ownSets: readonly SchoolSet[];
  /** The classes that the page is about. */
  readonly shown: readonly SchoolSet[];
  /** Shown between what waits for the teacher and everything else. */
  readonly children: ReactNode;
};

type Check = { readonly taskId: string; readonly set: SchoolSet; readonly kind: 'ranking' | 'grades' };

/** A teacher's feedback tasks: first what waits for them in any class, then the page, then the other tasks of the classes shown. */
export const ClassTasks = ({ ownSets: own, shown, children }: ClassTasksProps) => {
  const { me } = useSession();
  const { rows, error, isPending } = useTasksOf(own);
  /** Kept apart from the rows: the open check outlives its row, which moves once it is done and goes when the task is deleted. */
  const [checked, setChecked] = useState<Check>();
  const [isShown, setShown] = useState(false);
  const drafts = useCheckDrafts();
  const check = (one: Check) => {
    setChecked(one);
    setShown(true);
  };
  const { asOf } = useMoment();
  const mayAct = !readsOnly(me.role) && asOf === undefined;
  const isAwaited = ({ task, of, set }: Row) => awaitedOf(task, of, set.mayWrite && mayAct) !== undefined;
  const waiting = rows.filter(isAwaited);
  const others = rows.filter((row) => !isAwaited(row) && shown.some(({ setId }) => setId === row.set.setId));
  const of = (row: Row, isWaiting: boolean) => (
    <ClassTask
      key={`${row.task.taskId} ${row.set.setId}`}
      {...row}
      isOnly={!isWaiting && shown.length === 1}
      isWaiting={isWaiting}
      onCheck={(kind) => check({ taskId: row.task.taskId, set: row.set, kind })}
    />
  );
  return (
    <>
      {waiting.length > 0 && (
        <Section title={me.role === 'teacher' ? 'Waiting for you' : 'Waiting for the teacher'}>
          <ul className={`stack ${styles.waiting}`}>{waiting.map((row) => of(row, true))}</ul>
        </Section>
      )}
      {children}
      <Section title="Feedback tasks">
        {error !== null && <Failure error={error} />}
        {isPending ? (
          <Skeleton rows={2} label="Loading feedback tasks" />
        ) : shown.length > MOST_CLASSES ? (
          <p className="muted">Choose a class to see its feedback tasks.</p>
        ) : others.length > 0 ? (
          <ul className={styles.cards}>{others.map((row) => of(row, false))}</ul>
        ) : (
          <p className="muted">
            {waiting.length > 0 ? 'No other feedback task.' : 'No feedback task for these classes yet: the subject leader adds it.'}
          </p>
        )}
      </Section>
      {checked && (
        <Suspense fallback={null}>
          <CheckDialog
            key={`${checked.taskId} ${checked.set.setId} ${checked.kind}`}
            taskId={checked.taskId}
            set={checked.set}
            kind={checked.kind}
            open={isShown}
            drafts={drafts}
            onClose={() => setShown(false)}
          />
        </Suspense>
      )}
    </>
  );
};

type Row = { readonly task: Task; readonly of: TaskCardSet; readonly set: SchoolSet };

/** The newest first, class by class. */
const useTasksOf = (sets: readonly SchoolSet[]) => {
  const api = useApi();
  const { asOf } = useMoment();
  return useQueries({
    queries: sets.map(({ setId }) => question(api, 'tasks', { setId }, asOf)),
    combine: (answers) => ({
      rows: answers.flatMap(({ data }, place): readonly Row[] => {
        const set = sets[place];
        return (data?.tasks ?? []).flatMap((task) => {
          const of = task.sets.find(({ setId }) => setId === set?.setId);
          return set && of ? [{ task, of, set }] : [];
        });
      }),
      error: answers.find(({ error, data }) => error && !data)?.error ?? null,
      isPending: answers.some((answer) => answer.isPending),
    }),
  });
};

type ClassTaskProps = Row & {
  readonly isOnly: boolean;
  readonly isWaiting: boolean;
  readonly onCheck: (kind: Check['kind']) => void;
};

/** What a teacher checks, and the status from which it can be seen: one above it is checked. */
const CHECKS = [
  { kind: 'ranking', from: 2 },
  { kind: 'grades', from: 4 },
] as const;

const ClassTask = ({ task, of, set, isOnly, isWaiting, onCheck }: ClassTaskProps) => {
  const { me } = useSession();
  const { open, mayUpload } = useUploadDialogs();
  const name = task.name ?? 'A task without a name';
  const isThen = useMoment().asOf !== undefined;
  const isReader = isThen || readsOnly(me.role);
  const missing = of.tests.filter((test) => isMissing(test, of));
  return (
    <TaskCard
      name={isOnly ? name : isWaiting ? `${set.name} – ${name}` : `${name} – ${set.name}`}
      status={statusText(of.status, task.teacherInput)}
      done={of.status === 6}
      about={
        <>
          {of.status < 6 && <span>Waiting {sinceText(of.since)}</span>}
          <Expiry task={{ expiry: task.expiry, status: of.status }} />
          {of.tests.map((test) => (
            <span key={test.testId} className="row apart">
              {test.name}: {test.entered} of {of.students} have a total
              <TrackerButton look="plain" test={test} sets={[set]} />
            </span>
          ))}
        </>
      }
    >
      {mayUpload && set.mayWrite && of.status < 6 && (
        <Button
          look={isWaiting && missing.length > 0 ? 'primary' : 'quiet'}
          aria-label={`Upload totals of ${set.name}: ${name}`}
          onClick={() =>
            open({ kind: 'totals', setId: set.setId, ...(missing.length === 1 && missing[0] ? { testId: missing[0].testId } : {}) })
          }
        >
          Upload totals
        </Button>
      )}
      {CHECKS.map(
        ({ kind, from }) =>
          task.teacherInput &&
          of.status >= from &&
          !isReader && (
            <Button
              key={kind}
              look={of.status === from ? 'primary' : 'quiet'}
              aria-label={`Check the ${kind} of ${set.name}: ${name}`}
              onClick={() => onCheck(kind)}
            >
              {of.status <= from + 1 ? 'Check' : 'See'} the {kind}
            </Button>
          ),
      )}
      {of.status < 6 && !isThen && <ShareTask tests={of.tests} />}
      {isThen && of.status >= 2 && <RankingThen taskId={task.taskId} name={name} />}
      <HistoryLink of={{ id: task.taskId, name }} />
    </TaskCard>
  );
};
