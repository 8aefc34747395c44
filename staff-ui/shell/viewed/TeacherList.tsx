import { useState } from 'react';
import { Field } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import type { Teacher } from './TeacherProvider.tsx';
import styles from './Viewed.module.css';

type TeacherListProps = {
  readonly teachers: readonly Teacher[];
  readonly current?: string;
  readonly choose: (teacher: Teacher) => void;
};

/** Beyond this number one searches. */
const MANY = 12;

/** The teachers of a subject with their classes, to choose one. */
export const TeacherList = ({ teachers, current, choose }: TeacherListProps) => {
  const [find, setFind] = useState('');
  if (teachers.length === 0)
    return <EmptyState title="No teacher yet">An admin of your school adds the teachers of the subject and their classes.</EmptyState>;
  const words = find.toLowerCase().split(/\s+/u);
  const found = teachers.filter(({ name, sets }) =>
    words.every((word) => [name, ...sets.map((set) => set.name)].some((text) => text.toLowerCase().includes(word))),
  );
  return (
    <div className={`stack gap-3 ${styles.teachers}`}>
      {teachers.length > MANY && (
        <Field label="Find a teacher" hint="Name or class" type="search" value={find} onChange={(event) => setFind(event.target.value)} />
      )}
      <ul>
        {found.map((teacher) => (
          <li key={teacher.teacherId}>
            <button
              type="button"
              className="pick row apart"
              aria-current={teacher.teacherId === current || undefined}
              onClick={() => choose(teacher)}
            >
              {teacher.name}
              <small className="small muted">{teacher.sets.map(({ name }) => name).join(', ') || 'no classes'}</small>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">No teacher has this name or class.</p>}
    </div>
  );
};
