import { studentsToldApart } from '#api/contract/names';
import type { StudentsToView } from '#api/students/students.contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { question, useApi } from '../api/ApiProvider.tsx';
import { Field } from '../controls/Field.tsx';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import styles from './StudentFinder.module.css';

export type FoundStudent = StudentsToView['students'][number];
/** A line of what is found. `about`: what stands beside the name. */
export type FoundLine = { readonly key: string; readonly student: FoundStudent; readonly about: string };

type StudentFinderProps<Line extends FoundLine> = {
  readonly label: string;
  readonly linesOf: (student: FoundStudent) => readonly Line[];
  readonly choose: (line: Line) => void;
  /** Of more lines than these only the first are shown. */
  readonly most: number;
  /** Said instead of all students before anything is typed. */
  readonly before?: string;
};

/** A combobox of the students whom the user may see: arrow keys move in the list, Enter chooses. */
export const StudentFinder = <Line extends FoundLine>({ label, linesOf, choose, most, before }: StudentFinderProps<Line>) => {
  const id = useId();
  const api = useApi();
  const [find, setFind] = useState('');
  const [active, setActive] = useState(0);
  /** Enter was pressed before the answer was there. */
  const isMeant = useRef(false);
  const isAsked = before === undefined || find.trim() !== '';
  const found = useQuery({
    ...question(api, 'students-to-view', { find }),
    select: studentsToldApart,
    placeholderData: keepPreviousData,
    enabled: isAsked,
  });
  const isThere = isAsked && found.data !== undefined && !found.isPlaceholderData;
  const students = (isAsked && found.data?.students) || [];
  const all = students.flatMap((student) => linesOf(student));
  const lines = all.slice(0, most);
  const at = Math.min(active, lines.length - 1);
  const chooseMeant = useEffectEvent(() => {
    if (isMeant.current && lines[0]) choose(lines[0]);
    isMeant.current = false;
  });
  useEffect(() => {
    if (isThere) chooseMeant();
  }, [isThere]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const line = lines[at];
    if (step !== undefined) setActive(Math.max(0, Math.min(lines.length - 1, at + step)));
    else if (event.key !== 'Enter') return;
    else if (!isThere) isMeant.current = isAsked;
    else if (line) choose(line);
    event.preventDefault();
  };
  return (
    <div className={`stack ${styles.finder}`}>
      <Field
        label={label}
        hint="Name, StudentID or class"
        type="search"
        role="combobox"
        autoComplete="off"
        aria-expanded={lines.length > 0}
        aria-controls={`${id}-lines`}
        aria-activedescendant={lines[at] && `${id}-${lines[at].key}`}
        value={find}
        maxLength={200}
        data-find=""
        onChange={(event) => {
          setFind(event.target.value);
          setActive(0);
          isMeant.current = false;
        }}
        onKeyDown={onKeyDown}
      />
      {isAsked && found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {isAsked && found.isPending && <Skeleton rows={6} label="Loading students" />}
      <div id={`${id}-lines`} role="listbox" aria-label="Students" className={`box ${styles.lines}`} hidden={lines.length === 0}>
        {lines.map((line, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the keys and the focus
          <div
            key={line.key}
            id={`${id}-${line.key}`}
            role="option"
            aria-selected={index === at}
            ref={index === at ? intoView : undefined}
            onClick={() => choose(line)}
          >
            {line.student.name} <small>{line.about}</small>
          </div>
        ))}
      </div>
      {isThere && lines.length === 0 && (
        <EmptyState title={find === '' ? 'No students yet' : 'No student matches'}>
          {find === ''
            ? 'Students of your classes are listed here.'
            : 'None of your students has this name or StudentID, or is in this class.'}
        </EmptyState>
      )}
      <p role="status">
        {!isAsked
          ? before
          : isThere &&
            (all.length > most || found.data.count > students.length) &&
            `The first ${lines.length} are shown. Type more of the name.`}
      </p>
    </div>
  );
};

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });
