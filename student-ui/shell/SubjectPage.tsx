import { Redirect } from 'wouter';
import { Page } from '../../ui/frame/Page.tsx';
import { useGo } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './Student.module.css';

/** For students with several subjects: chooses the one that their pages show. */
export const SubjectPage = () => {
  const { me, subject, chooseSubject } = useSession();
  const go = useGo();
  if (me.role !== 'student' || me.subjects.length < 2) return <Redirect to="/student" replace />;
  return (
    <Page title="Change Subject" sub="Your pages are about one subject at a time.">
      <ul className={styles.choices}>
        {me.subjects.map(({ subjectId, name, set }) => (
          <li key={subjectId}>
            <button
              type="button"
              aria-pressed={subjectId === subject?.subjectId}
              onClick={() => {
                chooseSubject(subjectId);
                go('/student');
              }}
            >
              {name} <small>{set}</small>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
};
