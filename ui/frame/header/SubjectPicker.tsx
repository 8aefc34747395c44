import { useSession } from '../../session/Session.tsx';
import { leaving } from '../../session/unsaved.ts';
import { useGo } from '../navigation.tsx';
import styles from './SubjectPicker.module.css';

/** A picker for staff with several subjects; just the name for one. */
export const SubjectPicker = () => {
  const { me, section, subject, chooseSubject } = useSession();
  const go = useGo();
  if (!subject) return null;
  if (me.subjects.length === 1) return <span className={styles.only}>{subject.name}</span>;
  return (
    <select
      className={styles.picker}
      aria-label="Subject"
      value={subject.subjectId}
      onChange={({ target: { value } }) =>
        leaving('app', () => {
          chooseSubject(value);
          /** Year groups and classes belong to the subject being left, so go home. Admin pages show the same page for the other subject. */
          if (section && section !== 'admin') go(`/${section}`);
        })
      }
    >
      {me.subjects.map(({ subjectId, name }) => (
        <option key={subjectId} value={subjectId}>
          {name}
        </option>
      ))}
    </select>
  );
};
