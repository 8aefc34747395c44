import type { QuestionAnalysis } from '#api/analysis/tests.contract';
import { openFlags } from '#api/contract/flags';
import { FlagSigns } from '../../../ui/feedback/FlagSigns.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import { twoDecimals } from '../../format.ts';
import styles from './Questions.module.css';
import type { Group } from './rows.ts';
import { percent } from './rows.ts';

type ByTopicProps = { readonly analysis: QuestionAnalysis; readonly group: Group };

/** What the group got in each topic of the paper, and whether so few questions are enough to say anything about it. */
export const ByTopic = ({ analysis, group: { name, figures } }: ByTopicProps) => (
  <Section title="Topics">
    <Table label={`Topics, ${name}`}>
      <Heads names={['Topic', 'Questions', 'Facility', 'Reliability']} figures={['Facility', 'Reliability']} />
      <tbody>
        {analysis.topics.map(({ topic, questionIds, reliability }) => {
          const questions = analysis.questions.flatMap((question, place) => {
            const of = figures.questions[place];
            const open = openFlags(figures.open[place]);
            return questionIds.includes(question.questionId) ? [{ ...question, facility: of?.facility ?? null, open }] : [];
          });
          const withFacility = questions.flatMap(({ max, facility }) => (facility === null ? [] : [{ max, facility }]));
          const available = withFacility.reduce((all, { max }) => all + max, 0);
          const got = withFacility.reduce((all, { max, facility }) => all + max * facility, 0);
          return (
            <tr key={topic}>
              <th scope="row" className={`breaks ${styles.question}`}>
                {topic}
              </th>
              <td>{questions.map(({ number }) => `Q${number}`).join(', ')}</td>
              <td className={`figure ${styles.number}`}>
                {available === 0 ? '–' : percent(got / available)}
                <FlagSigns flags={[...new Set(questions.flatMap(({ open }) => open))]} />
              </td>
              <td className={`figure ${styles.number}`} data-weak={analysis.all.evidence === 'weak' || undefined}>
                {reliability === null ? '–' : twoDecimals(reliability)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  </Section>
);
