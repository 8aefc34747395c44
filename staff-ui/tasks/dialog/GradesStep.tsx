import type { GradeProfiles } from '#api/tasks/tasks.contract';
import type { Task } from '#api/task-views/task-answers.contract';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { useCommand } from '../../../ui/api/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import { counted, dateTime } from '../../format.ts';
import { useMayLead } from '../may-lead.ts';
import { ProfileDialog } from '../profile/ProfileDialog.tsx';
import { scoreText } from '../ranking/figures.ts';
import type { Reasons } from './steps.ts';
import { awaited, withoutOf } from './steps.ts';
import styles from '../Steps.module.css';

type Profile = GradeProfiles['profiles'][number];

/** Step 5: which grade profile is allocated, and what each would give. */
export const GradesStep = ({ task, reasons }: { readonly task: Task; readonly reasons: Reasons }) => {
  const preview = useQuestion('task-grades', { taskId: task.taskId });
  const mayLead = useMayLead() && task.status < 6;
  const mayAllocate = mayLead && task.lowest < 4;
  const [asked, setAsked] = useState(task.grades?.gradeProfileId ?? undefined);
  const reopen = useCommand('ReopenGrades', {
    input: () => ({ taskId: task.taskId }),
    notice: () => 'The grades are open again: allocate them once more.',
  });
  const assign = useCommand('AssignGrades', {
    input: ({ gradeProfileId, grades }: Shown) => ({
      taskId: task.taskId,
      gradeProfileId,
      without: withoutOf(task, 'ranking', reasons),
      was: grades.map(({ label, percent }) => ({ label, percent })),
    }),
    notice: () => 'The grades are allocated.',
    undo: () => async (command) => {
      await command('ReopenGrades', { taskId: task.taskId });
      return 'The grades were taken back.';
    },
    onFailed: () => preview.refetch(),
  });
  if (preview.error && !preview.data) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (!preview.data) return <Skeleton rows={6} label="Loading grade profiles" />;
  const { profiles, students } = preview.data;
  const profile = profiles.find(({ gradeProfileId }) => gradeProfileId === asked) ?? profiles[0];
  const waiting = awaited(task, 'ranking', reasons);
  return (
    <>
      {task.grades && (
        <Notice
          tone="good"
          title={`${task.grades.profile ?? 'A grade profile'} was allocated by ${task.grades.by ?? 'somebody who was forgotten'}, ${dateTime(task.grades.at)}.`}
          actions={
            mayLead && (
              <Button disabled={reopen.pending} onClick={() => void reopen.send()}>
                Reopen grades
              </Button>
            )
          }
        >
          {mayLead && <p>Reopening takes the grades back, and what teachers have said about them.</p>}
        </Notice>
      )}
      {profiles.length === 0 ? (
        <EmptyState title="No grade profile yet">
          A grade profile says how many per cent of the students get which grade. {mayLead && 'Add the first one here.'}
        </EmptyState>
      ) : (
        <div className={styles.fields}>
          <Select
            label="Grade profile"
            value={profile?.gradeProfileId ?? ''}
            disabled={!mayAllocate}
            onChange={({ target }) => setAsked(target.value)}
          >
            {profiles.map(({ gradeProfileId, name, sum }) => (
              <option key={gradeProfileId} value={gradeProfileId}>
                {name}
                {sum === 100 ? '' : ` – adds up to ${sum} %`}
              </option>
            ))}
          </Select>
        </div>
      )}
      {mayLead && <ProfileActs task={task} profile={profile} onSaved={setAsked} />}
      {profile && <Outcome profile={profile} students={students} />}
      {profile && mayAllocate && (
        <div className={styles.acts}>
          <Button
            look="primary"
            disabled={assign.pending || profile.sum !== 100 || waiting.length > 0}
            onClick={() => void assign.send(profile)}
          >
            Allocate grades
          </Button>
          {profile.sum !== 100 && <span className={styles.error}>It adds up to {profile.sum} %: only 100 % can be allocated.</span>}
          {waiting.length > 0 && (
            <span className={styles.hint}>
              {counted(waiting.length, 'class', 'classes')} still to be checked in step 4, or gone on without.
            </span>
          )}
        </div>
      )}
    </>
  );
};

type Shown = {
  readonly gradeProfileId: string;
  readonly name: string;
  readonly sum: number;
  readonly grades: readonly {
    readonly label: string;
    readonly percent: number;
    readonly students: number;
    readonly boundary: number | null;
  }[];
};

const Outcome = ({ profile, students }: { readonly profile: Shown; readonly students: number }) => (
  <Scrollable label="What the profile gives" className={styles.scroll}>
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Grade</th>
          <th scope="col" className={styles.number}>
            Per cent
          </th>
          <th scope="col" className={styles.number}>
            Students (of {students})
          </th>
          <th scope="col" className={styles.number}>
            From a score of
          </th>
        </tr>
      </thead>
      <tbody>
        {profile.grades.map(({ label, percent, students: many, boundary }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className={styles.number}>{percent}</td>
            <td className={styles.number}>{many}</td>
            <td className={styles.number}>{scoreText(boundary)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrollable>
);

type ProfileActsProps = { readonly task: Task; readonly profile: Shown | undefined; readonly onSaved: (gradeProfileId: string) => void };

/** Adds, changes, copies and deletes profiles of the year group. */
const ProfileActs = ({ task: { subjectId, yearGroupId }, profile, onSaved }: ProfileActsProps) => {
  const [asked, setAsked] = useState<{ readonly from: Profile | undefined; readonly isCopy: boolean; readonly opening: number }>();
  const [isShown, setShown] = useState(false);
  const open = (from: Profile | undefined, isCopy: boolean) => {
    setAsked((before) => ({ from, isCopy, opening: (before?.opening ?? 0) + 1 }));
    setShown(true);
  };
  const remove = useCommand('DeleteGradeProfile', {
    input: ({ gradeProfileId }: Shown) => ({ gradeProfileId }),
    notice: (_, { name }) => `${name} was deleted. Grades that were allocated by it stay.`,
    undo:
      (_, { gradeProfileId, name }) =>
      async (command) => {
        await command('RestoreGradeProfile', { gradeProfileId });
        return `${name} is there again.`;
      },
  });
  const chosen: Profile | undefined = profile && {
    ...profile,
    grades: profile.grades.map(({ label, percent }) => ({ label, percent })),
  };
  return (
    <div className={styles.acts}>
      <Button onClick={() => open(undefined, false)}>New profile</Button>
      {profile && chosen && (
        <>
          <Button onClick={() => open(chosen, false)}>Edit</Button>
          <Button onClick={() => open(chosen, true)}>Copy</Button>
          <Button look="plain" disabled={remove.pending} aria-label={`Delete ${profile.name}`} onClick={() => void remove.send(profile)}>
            Delete
          </Button>
        </>
      )}
      {asked && (
        <ProfileDialog
          key={asked.opening}
          subjectId={subjectId}
          yearGroupId={yearGroupId}
          profile={asked.from}
          isCopy={asked.isCopy}
          open={isShown}
          onClose={() => setShown(false)}
          onSaved={onSaved}
        />
      )}
    </div>
  );
};
