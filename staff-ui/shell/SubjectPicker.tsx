import { useNavigate } from 'react-router';
import { useSession } from '../session/Session.tsx';
import { useArea } from './area.ts';
import styles from './SubjectPicker.module.css';

/** For staff with more than one subject; with one, its name. */
export const SubjectPicker = () => {
  const { me, subject, chooseSubject } = useSession();
  const navigate = useNavigate();
  const area = useArea();
  if (!subject) return null;
  if (me.subjects.length === 1) return <span className={styles.only}>{subject.name}</span>;
  return (
    <select
      className={styles.picker}
      aria-label="Subject"
      value={subject.subjectId}
      onChange={(event) => {
        chooseSubject(event.target.value);
        /** Year groups and classes belong to the subject that one leaves. */
        void navigate(area);
      }}
    >
      {me.subjects.map(({ subjectId, name }) => (
        <option key={subjectId} value={subjectId}>
          {name}
        </option>
      ))}
    </select>
  );
};
