import type { StudentHome } from '#api/analysis/student/student.contract';
import { Section } from '../../ui/frame/Page.tsx';
import styles from './Dashboard.module.css';
import { resultTexts } from './result-texts.ts';

/** What came of complete feedback tasks, where the school shows it. */
export const Results = ({ results }: { readonly results: NonNullable<StudentHome['results']> }) => (
  <Section title="Grades">
    <ul className={styles.grades}>
      {results.map(({ taskId, tests, grade, overridden, ...result }) => (
        <li key={taskId}>
          <strong>{grade === null ? 'No grade' : `Grade ${grade}`}</strong>
          {overridden.includes('grade') && <small> (overridden)</small>}
          <span>{tests.join(', ')}</span>
          <small>{resultTexts({ ...result, overridden, grade: null }).join(' · ')}</small>
        </li>
      ))}
    </ul>
  </Section>
);
