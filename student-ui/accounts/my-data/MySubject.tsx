import type { MyData } from '#api/accounts/my-data.contract';
import { FlagSigns } from '../../../ui/feedback/FlagSigns.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import styles from './MyData.module.css';
import { changeText, timeOf } from './texts.ts';
import { resultTexts } from '../../analysis/result-texts.ts';

type Subject = MyData['subjects'][number];
type Test = Subject['tests'][number];

export const MySubject = ({ subject: { name, memberships, priors, results, tests } }: { readonly subject: Subject }) => (
  <Section title={name}>
    <ul>
      {memberships.map(({ set, from }) => (
        <li key={from} className={`row apart ${styles.row}`}>
          {set ?? 'In no class'} <span className="muted">since {timeOf(from)}</span>
        </li>
      ))}
      {priors.map(({ exam, score, yearCompleted }) => (
        <li key={exam} className={`row apart ${styles.row}`}>
          {exam}: {score} {yearCompleted !== null && <span className="muted">{yearCompleted}</span>}
        </li>
      ))}
      {results.map((result) => (
        <li key={result.tests.join()} className={`row apart ${styles.row}`}>
          {result.tests.join(', ')} <span className="muted">{resultTexts(result).join(', ')}</span>
        </li>
      ))}
    </ul>
    {tests.map((test) => (
      <MyTest key={test.testId} test={test} />
    ))}
  </Section>
);

const MyTest = ({ test: { name, total, flags, max, attendance, questions, changes, submissions } }: { readonly test: Test }) => (
  <details className={styles.test}>
    <summary>
      {name} <span className="muted">{attendance === 'sat' ? (total === null ? 'no total' : `${total} of ${max}`) : attendance}</span>
      <FlagSigns flags={flags} />
    </summary>
    <Table label={`Marks for ${name}`} className="large">
      <Heads names={['Question', 'Teacher', 'You']} figures={['Teacher', 'You']} />
      <tbody>
        {questions.map(({ questionId, number, topic, max: most, mark, flags: open, own: ownMark }) => (
          <tr key={questionId}>
            <th scope="row" className="breaks">
              {number}. {topic} (of {most})
            </th>
            <td className="figure">
              {mark ?? '–'}
              <FlagSigns flags={open} />
            </td>
            <td className="figure">{ownMark ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
    <ul>
      {submissions.map(({ at, total: submitted }) => (
        <li key={at} className={`row apart ${styles.row}`}>
          You submitted {submitted} <span className="muted">{timeOf(at)}</span>
        </li>
      ))}
      {changes.map((change, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two changes of one save may be alike
        <li key={index} className={`row apart ${styles.row}`}>
          {changeText(change)} <span className="muted">{change.at === null ? '' : timeOf(change.at)}</span>
        </li>
      ))}
    </ul>
  </details>
);
