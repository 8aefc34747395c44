import type { PriorSummary } from '#api/prior/prior.contract';
import { percentCut } from '#api/prior/prior-score.contract';
import { Section } from '../../ui/frame/Page.tsx';
import { Heads, Table } from '../../ui/table/Table.tsx';
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
    <Table label="Terminal exams" isList cardsBelow={600} region={styles.scroll}>
      <Heads names={['Terminal exam', 'Sat in', 'Students with a score', 'Ratio', 'Type']} figures={['Students with a score', 'Ratio']} />
      <tbody>
        {summary.exams.map((exam) => (
          <tr key={exam.terminalExamId} data-chosen={exam.terminalExamId === chosen || undefined}>
            <th scope="row">
              <label className="tick">
                <input
                  type="radio"
                  name="terminal-exam"
                  checked={exam.terminalExamId === chosen}
                  onChange={() => onChoose(exam.terminalExamId)}
                />
                {exam.name}
              </label>
            </th>
            <td data-label="Sat in">Year {exam.yearSat}</td>
            <td className="figure" data-label="Students with a score">
              {count(exam.scores)} of {count(summary.students)}
            </td>
            <td className="figure" data-label="Ratio">
              <span className={styles.ratio} data-enough={exam.enough || undefined}>
                {percentCut(exam.scores, summary.students)}
              </span>
            </td>
            <td data-label="Type">{typeText(exam.type)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
    {chosen === undefined && <p className={`small muted ${styles.step}`}>Choose a terminal exam to see and enter its scores.</p>}
  </Section>
);

const typeText = (type: Exam['type']): string =>
  type === null ? '–' : { letter: 'Letters', number: 'Numbers', mixed: 'Letters and numbers' }[type];
