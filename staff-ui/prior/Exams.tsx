import type { PriorSummary } from '#api/prior/prior.contract';
import { percentCut } from '#api/prior/prior-score.contract';
import { Section } from '../../ui/frame/Page.tsx';
import { Table } from '../../ui/table/Table.tsx';
import { count } from '../format.ts';
import styles from './Prior.module.css';

type Exam = PriorSummary['exams'][number];
type ExamsProps = {
  readonly summary: PriorSummary;
  readonly chosen: string | undefined;
  readonly onChoose: (terminalExamId: string) => void;
};

/** The terminal exams of the subject with what of the year group they cover: one is chosen. */
export const Exams = ({ summary, chosen, onChoose }: ExamsProps) => (
  <Section title={`Prior data of Year ${summary.year}`}>
    <Table label="Terminal exams" isList region={styles.scroll} className={styles.exams}>
      <thead>
        <tr>
          <th scope="col">Terminal exam</th>
          <th scope="col">Sat in</th>
          <th scope="col" className={styles.number}>
            Students with a score
          </th>
          <th scope="col" className={styles.number}>
            Ratio
          </th>
          <th scope="col">Type</th>
        </tr>
      </thead>
      <tbody>
        {summary.exams.map((exam) => (
          <tr key={exam.terminalExamId} data-chosen={exam.terminalExamId === chosen || undefined}>
            <th scope="row">
              <label className={styles.choice}>
                <input
                  type="radio"
                  name="terminal-exam"
                  checked={exam.terminalExamId === chosen}
                  onChange={() => onChoose(exam.terminalExamId)}
                />
                {exam.name}
              </label>
            </th>
            <td>Year {exam.yearSat}</td>
            <td className={styles.number}>
              {count(exam.scores)} of {count(summary.students)}
            </td>
            <td className={styles.number}>
              <span className={styles.ratio} data-enough={exam.enough || undefined}>
                {percentCut(exam.scores, summary.students)}
              </span>
            </td>
            <td>{typeText(exam.type)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
    {chosen === undefined && <p className={styles.hint}>Choose a terminal exam to see and enter its scores.</p>}
  </Section>
);

const typeText = (type: Exam['type']): string =>
  type === null ? '–' : { letter: 'Letters', number: 'Numbers', mixed: 'Letters and numbers' }[type];
