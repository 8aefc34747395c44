import { studentsToldApart } from '#api/contract/names';
import type { StudentsToView } from '#api/students/students.contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useGo } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './Student.module.css';

type Choice = StudentsToView['students'][number];

/** Where staff choose the student whose pages to view. */
export const SelectPage = () => {
  const { me, view } = useSession();
  const go = useGo();
  if (me.role === 'student') return <Redirect to="/student" replace />;
  const choose = ({ studentId, name }: Choice) => {
    view({ studentId, name });
    go('/student');
  };
  return (
    <Page
      title="Select student"
      sub="You see the student’s own pages. Nothing can be changed there, and it is written down that you looked."
    >
      <Dropdown choose={choose} />
    </Page>
  );
};

/** A combobox: arrow keys move in the list, Enter chooses. */
const Dropdown = ({ choose }: { readonly choose: (student: Choice) => void }) => {
  const api = useApi();
  const [find, setFind] = useState('');
  const [active, setActive] = useState(0);
  const found = useQuery({ ...question(api, 'students-to-view', { find }), select: studentsToldApart, placeholderData: keepPreviousData });
  const students = found.data?.students ?? [];
  const at = Math.min(active, students.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const student = students[at];
    if (step !== undefined) setActive(Math.max(0, Math.min(students.length - 1, at + step)));
    else if (event.key === 'Enter' && student && !found.isPlaceholderData) choose(student);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.dropdown}>
      <Field
        label="Select student"
        hint="Name, StudentID or class"
        type="search"
        role="combobox"
        autoComplete="off"
        aria-expanded={students.length > 0}
        aria-controls="students"
        aria-activedescendant={students[at] && `student-${students[at].studentId}`}
        value={find}
        onChange={(event) => {
          setFind(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Skeleton rows={6} label="Loading students" />}
      <div id="students" role="listbox" aria-label="Students" className={styles.list} hidden={students.length === 0}>
        {students.map((student, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the keys and the focus
          <div
            key={student.studentId}
            id={`student-${student.studentId}`}
            role="option"
            aria-selected={index === at}
            ref={index === at ? intoView : undefined}
            onClick={() => choose(student)}
          >
            {student.name} <small>{classesOf(student)}</small>
          </div>
        ))}
      </div>
      {found.data?.count === 0 && (
        <EmptyState title={find === '' ? 'No students yet' : 'No student matches'}>
          {find === ''
            ? 'Students of your classes are listed here.'
            : 'None of your students has this name or StudentID, or is in this class.'}
        </EmptyState>
      )}
      <p role="status">
        {found.data && found.data.count > students.length && `${students.length} of ${found.data.count}: type more of the name.`}
      </p>
    </div>
  );
};

const classesOf = ({ places }: Choice): string => places.flatMap(({ set }) => set ?? []).join(', ') || 'in no class now';

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });
