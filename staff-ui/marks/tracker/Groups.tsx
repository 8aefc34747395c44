import { flagsShort } from '#api/contract/flags';
import type { Tracker } from '#api/marks/submissions/submissions.contract';
import { useState } from 'react';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import { counted, dateTime } from '../../format.ts';
import styles from './Tracker.module.css';

type Student = Tracker['students'][number];
type Group = Student['group'] | 'away';

const TITLES: Readonly<Record<Group, string>> = {
  incomplete: 'Incomplete',
  student: 'Submitted by student',
  staff: 'Submitted by staff',
  away: 'Absent or exempt',
};

/** The students of a class by what has become of their marks, by name. */
export const Groups = ({ tracker }: { readonly tracker: Tracker }) => (
  <Scrollable label="Submissions" className={`stack gap-6 ${styles.groups}`}>
    {(['incomplete', 'student', 'staff', 'away'] as const).map((group) => (
      <GroupList key={group} group={group} tracker={tracker} />
    ))}
  </Scrollable>
);

const groupOf = ({ attendance, group }: Student): Group => (attendance === 'sat' ? group : 'away');

const GroupList = ({ group, tracker }: { readonly group: Group; readonly tracker: Tracker }) => {
  const students = tracker.students.filter((one) => groupOf(one) === group);
  if (students.length === 0) return null;
  const title = `${TITLES[group]}: ${students.length}`;
  return (
    <section className="stack" aria-label={title} data-group={group}>
      <h3>{title}</h3>
      <ul>
        {students.map((student) => (
          <li key={student.studentId} className="row">
            <span className="strong">{student.name ?? 'Forgotten student'}</span>
            <span className={student.mismatch ? 'small strong grow' : 'small grow'}>{aboutOf(student, tracker.questions)}</span>
            {(group === 'student' || (group === 'incomplete' && student.addedSince > 0)) && tracker.mayWrite && (
              <Changes>
                <Reopen testId={tracker.testId} student={student} />
              </Changes>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** What there is to say of a student beside the group. */
const aboutOf = (student: Student, questions: number): string => {
  const { attendance, group, state, at, staffMarks, total, staffTotal, flags, mismatch, addedSince, aboveMaximum } = student;
  if (attendance !== 'sat') return flags ? `${attendance} (${flagsShort(flags)})` : attendance;
  const time = at === null ? '' : ` ${dateTime(at)}`;
  const open = flags ? ` (${flagsShort(flags)})` : '';
  const teachers = staffTotal === null ? '' : `, teacher’s total ${staffTotal}${open}`;
  if (group === 'student') return `${total ?? 0}${teachers}${mismatch ? ': they differ' : ''}${aboveText(aboveMaximum)} ·${time}`;
  if (group === 'staff') return `${staffTotal ?? 0}${open}${total === null || total === staffTotal ? '' : `, the student says ${total}`}`;
  return [
    addedSince > 0 ? `submitted ${total ?? 0}${time}, ${counted(addedSince, 'question')} added since${aboveText(aboveMaximum)}` : undefined,
    state === 'reopened' ? `opened again${time}` : state === 'saved' ? 'has begun' : undefined,
    staffMarks > 0 ? `staff have marked ${staffMarks} of ${counted(questions, 'question')}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
};

const aboveText = (marks: number): string => (marks === 0 ? '' : `, ${counted(marks, 'mark')} above the maximum`);

/** Lets a student submit once more. There is no way back but the student's, so it asks, in its place. */
const Reopen = ({ testId, student }: { readonly testId: string; readonly student: Student }) => {
  const [isAsked, setAsked] = useState(false);
  const name = student.name ?? 'this student';
  const { send, pending } = useCommand('ReopenFeedback', {
    input: () => ({ testId, studentId: student.studentId }),
    invalidates: ['marks'],
    notice: () => `${student.name ?? 'The student'} can change the marks and submit them again.`,
  });
  if (!isAsked)
    return (
      <Button look="plain" aria-label={`Reopen the marks of ${name}`} onClick={() => setAsked(true)}>
        Reopen
      </Button>
    );
  return (
    <span className={`row small ${styles.ask}`} role="group" aria-label={`Let ${name} submit again?`}>
      <span aria-hidden="true">Submit again?</span>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it stands where the button was that was pressed */}
      <Button look="primary" autoFocus disabled={pending} onClick={() => void send()}>
        Yes, reopen
      </Button>
      <Button disabled={pending} onClick={() => setAsked(false)}>
        No
      </Button>
    </span>
  );
};
