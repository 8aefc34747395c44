import { studentsToldApart, toldApart } from '#api/contract/names';
import type { GradeProfiles } from '#api/tasks/grades/grade-profile.contract';
import type { Task } from '#api/tasks/task.contract';
import type { GradeShare } from '#api/tasks/grades/grades.contract';
import { isSameShares } from '#api/tasks/grades/grades.contract';
import type { TaskGrades } from '#api/tasks/grades/task-grades.contract';
import { flagsText } from '#api/tasks/task-fields.contract';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { sentence } from '../../../ui/api/failure.ts';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Confirm } from '../../../ui/controls/Confirm.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { counted, dateTime, some } from '../../format.ts';
import { useMayLead } from '../may-lead.ts';
import { FlaggedTotals } from '../ranking/FlaggedTotals.tsx';
import { ProfileDialog } from './ProfileDialog.tsx';
import { scoreText } from '../ranking/figures.ts';
import type { Reasons } from './steps.ts';
import { awaited, withoutOf } from './steps.ts';
import styles from '../Steps.module.css';
import { Refusal, StepFoot } from './StepFoot.tsx';

type Profile = GradeProfiles['profiles'][number];

type GradesStepProps = {
  readonly task: Task;
  readonly reasons: Reasons;
  /** They are stored with the grades. */
  readonly onAllocated: () => void;
  /** The id of a profile, which somebody may have deleted meanwhile; undefined: none is chosen yet */
  readonly chosen: string | undefined;
  readonly onChoose: (gradeProfileId: string | undefined) => void;
  /** The shares that were tried on the replay; undefined: none were. */
  readonly tried: readonly GradeShare[] | undefined;
};

/** Step 5: the grades that are allocated; else which grade profile is to be, and what each would give. */
export const GradesStep = (props: GradesStepProps) => {
  const { task } = props;
  const preview = useQuestion('task-grades', { taskId: task.taskId });
  if (preview.error && !preview.data) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (!preview.data) return <Skeleton rows={6} label="Loading grade profiles" />;
  const { flaggedTotals } = preview.data;
  return (
    <>
      {flaggedTotals.length > 0 && (
        <Notice tone="warn" title={`${flagsText(flaggedTotals.map(({ flag }) => flag))}: the grades go by the ranking as it stands.`}>
          <FlaggedTotals yearGroupId={task.yearGroupId} totals={toldApart(flaggedTotals)} />
        </Notice>
      )}
      {task.grades ? <Allocated task={task} grades={task.grades} preview={preview.data} /> : <Allocate {...props} preview={preview.data} />}
    </>
  );
};

type AllocatedProps = { readonly task: Task; readonly grades: NonNullable<Task['grades']>; readonly preview: TaskGrades };

const Allocated = ({ task, grades, preview: { allocated, profiles, students } }: AllocatedProps) => {
  const mayLead = useMayLead() && task.status < 6;
  const profile = profiles.find(({ gradeProfileId }) => gradeProfileId === grades.gradeProfileId);
  return (
    <>
      <Notice
        tone="good"
        title={`${grades.profile ?? (grades.gradeProfileId === null ? 'Grades that were sent by another program' : 'A grade profile that was deleted since')} ${grades.gradeProfileId === null ? 'were' : 'was'} allocated by ${grades.by ?? 'somebody who was forgotten'}, ${dateTime(grades.at)}.`}
        actions={mayLead && <Reopen task={task} />}
      >
        {profile && !isSameShares(profile.grades, grades.shares) && <p>The profile was changed since. Below is what was allocated.</p>}
        {mayLead && <p>Reopening takes the grades back, and what teachers have said about them.</p>}
      </Notice>
      {allocated && <Outcome grades={allocated} students={students} label="The grades that are allocated" />}
    </>
  );
};

/** Takes the grades back, and says before what goes with them. */
const Reopen = ({ task }: { readonly task: Task }) => {
  const [isAsked, setAsked] = useState(false);
  const ranking = useQuestion('task-ranking', isAsked ? { taskId: task.taskId } : undefined, undefined, studentsToldApart);
  const { send, pending } = useCommand('ReopenGrades', {
    input: () => ({ taskId: task.taskId }),
    notice: () => 'The grades are open again: allocate them once more.',
    onDone: () => setAsked(false),
  });
  const checked = task.sets.filter(({ gradesChecked }) => gradesChecked !== null);
  const overridden = ranking.data?.students.flatMap(({ studentId, name, decided }) =>
    typeof decided?.grade === 'string' ? [{ studentId, text: `${name ?? 'Forgotten student'}: grade ${decided.grade}` }] : [],
  );
  return (
    <>
      <Button onClick={() => setAsked(true)}>Reopen grades</Button>
      {isAsked && (
        <Confirm
          title="Reopen the grades?"
          go="Reopen grades"
          stay="Keep them"
          cannot={!overridden}
          pending={pending}
          onGo={() => void send()}
          onClose={() => setAsked(false)}
        >
          <p>The grades are taken back, and have to be allocated again. Ranks and scores given by hand stay, and so do exemptions.</p>
          {ranking.error && !ranking.data && <Failure error={ranking.error} retry={() => void ranking.refetch()} />}
          {!ranking.error && !overridden && <Skeleton rows={2} label="Loading what would go" />}
          {checked.length > 0 && (
            <p>Checks that would be void: {some(checked.map(({ name }) => name))}. Their teachers have to check again.</p>
          )}
          {overridden && overridden.length > 0 && (
            <>
              <p>Grades given by hand that would be lost:</p>
              <ul className={styles.warnings}>
                {overridden.map(({ studentId, text }) => (
                  <li key={studentId}>{text}</li>
                ))}
              </ul>
            </>
          )}
          {overridden?.length === 0 && checked.length === 0 && <p>No grade was given by hand, and no class has checked them.</p>}
        </Confirm>
      )}
    </>
  );
};

type AllocateProps = GradesStepProps & { readonly preview: TaskGrades };

const Allocate = ({ task, reasons, onAllocated, preview: { profiles, students }, chosen, onChoose, tried }: AllocateProps) => {
  const mayLead = useMayLead();
  const { refetch } = useQuestion('task-grades', { taskId: task.taskId });
  const assign = useCommand('AssignGrades', {
    showsError: true,
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
    onFailed: () => refetch(),
  });
  /** What was typed goes once the task that no longer needs it is there. */
  const allocate = async (by: Shown) => {
    if (await assign.send(by)) onAllocated();
  };
  const preset = tried ? profiles.find(({ grades }) => isSameShares(grades, tried)) : profiles[0];
  const profile = chosen === undefined ? preset : profiles.find(({ gradeProfileId }) => gradeProfileId === chosen);
  const waiting = awaited(task, 'ranking', reasons);
  return (
    <>
      {chosen !== undefined && !profile && (
        <Notice tone="warn" title="The grade profile that was chosen here was deleted. Choose another one." />
      )}
      {chosen === undefined && tried && !preset && (
        <Notice tone="warn" title="No grade profile has the percentages that were tried. A new profile begins with them." />
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
            disabled={!mayLead}
            onChange={({ target }) => onChoose(target.value)}
          >
            {!profile && <option value="">Choose a grade profile</option>}
            {profiles.map(({ gradeProfileId, name, sum }) => (
              <option key={gradeProfileId} value={gradeProfileId}>
                {name}
                {sum === 100 ? '' : ` – adds up to ${sum} %`}
              </option>
            ))}
          </Select>
        </div>
      )}
      {mayLead && <ProfileActs task={task} profile={profile} onChoose={onChoose} tried={tried} />}
      {profile && <Outcome grades={profile.grades} students={students} label="What the profile gives" />}
      {profile && mayLead && (
        <StepFoot>
          {assign.error !== undefined && <Refusal of={assign.error}>{sentence(assign.error)}</Refusal>}
          {profile.sum !== 100 && <span className="failed small">It adds up to {profile.sum} %: only 100 % can be allocated.</span>}
          {waiting.length > 0 && (
            <span className="muted small">
              {counted(waiting.length, 'class is', 'classes are')} not checked yet: wait for the checks in step 4, or go on without.
            </span>
          )}
          <Button
            look="primary"
            disabled={assign.pending || profile.sum !== 100 || waiting.length > 0}
            onClick={() => void allocate(profile)}
          >
            Allocate grades
          </Button>
        </StepFoot>
      )}
    </>
  );
};

type Shown = TaskGrades['profiles'][number];

const Outcome = ({ grades, students, label }: Pick<Shown, 'grades'> & { readonly students: number; readonly label: string }) => (
  <Table label={label} region={styles.scroll} className={styles.outcome}>
    <thead>
      <tr>
        <th scope="col">Grade</th>
        <th scope="col" className="figure">
          Per cent
        </th>
        <th scope="col" className="figure">
          Students (of {students})
        </th>
        <th scope="col" className="figure">
          From a score of
        </th>
      </tr>
    </thead>
    <tbody>
      {grades.map(({ label: grade, percent, students: many, boundary }) => (
        <tr key={grade}>
          <th scope="row">{grade}</th>
          <td className="figure">{percent}</td>
          <td className="figure">{many}</td>
          <td className="figure">{scoreText(boundary)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

type ProfileActsProps = Pick<AllocateProps, 'task' | 'onChoose' | 'tried'> & { readonly profile: Shown | undefined };

/** Adds, changes, copies and deletes profiles of the year group. */
const ProfileActs = ({ task: { subjectId, yearGroupId }, profile, onChoose, tried }: ProfileActsProps) => {
  const [editor, setAsked] = useState<{ readonly from: Profile | undefined; readonly isCopy: boolean; readonly opening: number }>();
  const [isShown, setShown] = useState(false);
  const open = (from: Profile | undefined, isCopy: boolean) => {
    setAsked((before) => ({ from, isCopy, opening: (before?.opening ?? 0) + 1 }));
    setShown(true);
  };
  const remove = useCommand('DeleteGradeProfile', {
    input: ({ gradeProfileId }: Shown) => ({ gradeProfileId }),
    notice: (_, { name }) => `${name} was deleted. Grades that were allocated by it stay.`,
    onDone: () => onChoose(undefined),
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
    <div className="row">
      <Button onClick={() => open(undefined, false)}>New profile</Button>
      {profile && chosen && (
        <>
          <Button onClick={() => open(chosen, false)}>Edit</Button>
          <Button onClick={() => open(chosen, true)}>Copy</Button>
          <Button look="remove" disabled={remove.pending} aria-label={`Delete ${profile.name}`} onClick={() => void remove.send(profile)}>
            Delete
          </Button>
        </>
      )}
      {editor && (
        <ProfileDialog
          key={editor.opening}
          subjectId={subjectId}
          yearGroupId={yearGroupId}
          profile={editor.from}
          tried={tried}
          isCopy={editor.isCopy}
          open={isShown}
          onClose={() => setShown(false)}
          onSaved={onChoose}
        />
      )}
    </div>
  );
};
