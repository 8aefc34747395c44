import type { MyData } from '#api/accounts/my-data.contract';
import { FlagSigns } from '../../../ui/feedback/FlagSigns.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import styles from './MyData.module.css';
import { changeText, timeOf } from './texts.ts';
import { resultTexts } from '../../analysis/result-texts.ts';

type Subject = MyData['subjects'][number];
type Test = Subject['tests'][number];

export const MySubject = ({ subject: { name, memberships, priors, results, tests } }: { readonly subject: Subject }) => (
  <Section title={name}>
    <ul className={styles.rows}>
      {memberships.map(({ set, from }) => (
        <li key={from}>
          {set ?? 'In no class'} <span>since {timeOf(from)}</span>
        </li>
      ))}
      {priors.map(({ exam, score, yearCompleted }) => (
        <li key={exam}>
          {exam}: {score} {yearCompleted !== null && <span>{yearCompleted}</span>}
        </li>
      ))}
      {results.map((result) => (
        <li key={result.tests.join()}>
          {result.tests.join(', ')} <span>{resultTexts(result).join(', ')}</span>
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
      {name} <span>{attendance === 'sat' ? (total === null ? 'no total' : `${total} of ${max}`) : attendance}</span>
      <FlagSigns flags={flags} />
    </summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Teacher</th>
          <th scope="col">You</th>
        </tr>
      </thead>
      <tbody>
        {questions.map(({ questionId, number, topic, max: most, mark, flags: open, own: ownMark }) => (
          <tr key={questionId}>
            <th scope="row">
              {number}. {topic} (of {most})
            </th>
            <td>
              {mark ?? '–'}
              <FlagSigns flags={open} />
            </td>
            <td>{ownMark ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <ul className={styles.rows}>
      {submissions.map(({ at, total: submitted }) => (
        <li key={at}>
          You submitted {submitted} <span>{timeOf(at)}</span>
        </li>
      ))}
      {changes.map((change, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two changes of one save may be alike
        <li key={index}>
          {changeText(change)} <span>{change.at === null ? '' : timeOf(change.at)}</span>
        </li>
      ))}
    </ul>
  </details>
);
