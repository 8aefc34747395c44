import type { QuestionAnalysis } from '#api/analysis/tests.contract';
import { openFlags } from '#api/contract/flags';
import { FlagSigns } from '../../../ui/feedback/FlagSigns.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { counted, difference } from '../../format.ts';
import styles from './Questions.module.css';
import { Beyond, BEYOND_CHANCE } from './QuestionTable.tsx';
import type { Standings } from './rows.ts';
import { percent } from './rows.ts';

type SetsTableProps = { readonly analysis: QuestionAnalysis; readonly standings: Standings };

/** Facility of each question in each class, and how far that is from the year group. */
export const SetsTable = ({ analysis: { questions, sets, ofYear, year }, standings }: SetsTableProps) => {
  const sat = sets.filter(({ n }) => n > 0);
  if (sat.length < 2) return null;
  return (
    <Section title="Class against class">
      <Table label="Facility by class">
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col" className="figure">
              Year {year}
            </th>
            {sat.map(({ setId, name, n }) => (
              <th key={setId} scope="col" className={`figure ${styles.number}`}>
                {name}
                <small className={`tiny muted ${styles.note}`}>{counted(n, 'student')}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {questions.map(({ questionId, number, topic }, place) => {
            const ofAll = ofYear.questions[place];
            return (
              <tr key={questionId}>
                <th scope="row" className={`breaks ${styles.question}`}>
                  Q{number} {topic}
                </th>
                <td className={`figure ${styles.number}`}>
                  {ofAll ? percent(ofAll.facility) : '–'}
                  <FlagSigns flags={openFlags(ofYear.open[place])} />
                </td>
                {sat.map(({ setId, questions: theirs, open }) => {
                  const of = theirs[place];
                  const stands = standings.get(setId)?.[place];
                  return (
                    <td key={setId} className={`figure ${styles.number}`} data-stands={stands}>
                      {of ? percent(of.facility) : '–'}
                      <FlagSigns flags={openFlags(open[place])} />
                      {of && ofAll && stands !== undefined && (
                        <small className={`tiny muted ${styles.note}`}>{difference(100 * (of.facility - ofAll.facility))}</small>
                      )}
                      <Beyond stands={stands} />
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="tiny muted">{BEYOND_CHANCE}</p>
    </Section>
  );
};
