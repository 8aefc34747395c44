import type { StudentHome } from '#api/analysis/student/student.contract';
import { Section } from '../../ui/frame/Page.tsx';
import styles from './Dashboard.module.css';

/** What came of complete feedback tasks, where the school shows it. */
export const Results = ({ results }: { readonly results: NonNullable<StudentHome['results']> }) => (
  <Section title="Grades">
    <ul className={styles.grades}>
      {results.map(({ taskId, tests, grade, ranking, score }) => (
        <li key={taskId}>
          <strong>{grade === null ? 'No grade' : `Grade ${grade}`}</strong>
          <span>{tests.join(', ')}</span>
          <small>
            {[score === null ? undefined : `score ${score.toFixed(2)}`, ranking === null ? undefined : `rank ${ranking}`]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </li>
      ))}
    </ul>
  </Section>
);
