import { Notice } from '../feedback/Notice.tsx';
import { useInSight } from './brought/useInSight.ts';
import { Heads, Table } from '../table/Table.tsx';
import styles from './brought/BroughtFile.module.css';
import { damages } from './Doubts.tsx';
import type { useUploadSteps, WhoQuestion } from './useUploadSteps.ts';

type WhoQuestionsProps = { readonly who: NonNullable<ReturnType<typeof useUploadSteps>['who']> };

/** Rows of a file whose StudentID is nobody's as it stands: whom they mean is shown, and confirmed. */
export const WhoQuestions = ({ who: { questions, meant, choose } }: WhoQuestionsProps) => {
  const title =
    questions.length === 1
      ? '1 row has a StudentID that is nobody’s'
      : `${questions.length.toLocaleString('en-GB')} rows have a StudentID that is nobody’s`;
  const ref = useInSight<HTMLDivElement>(questions);
  return (
    <div ref={ref}>
      <Notice tone="warn" title={title}>
        <p>Who is meant? Look at the names, and press Upload again.</p>
        <Table label={title} isList cardsBelow={600} region={styles.table}>
          <Heads names={['In the file', 'Means']} />
          <tbody>
            {questions.map((question) => (
              <tr key={question.admissionNo}>
                <th scope="row">
                  {question.admissionNo} {question.name}
                </th>
                <td data-label="Means">
                  <select
                    className="field"
                    aria-label={`Whom ${question.admissionNo} ${question.name} means`}
                    value={meant[question.admissionNo] ?? ''}
                    data-used={(meant[question.admissionNo] ?? '') !== '' || undefined}
                    onChange={({ target }) => choose(question.admissionNo, target.value)}
                  >
                    <option value="">nobody: leave the row out</option>
                    {question.students.map(({ admissionNo, name, setName }) => (
                      <option key={admissionNo} value={admissionNo}>
                        {admissionNo}, {name} ({setName})
                      </option>
                    ))}
                  </select>{' '}
                  {whyOf(question)}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Notice>
    </div>
  );
};

const whyOf = ({ kind, damage, differs }: WhoQuestion): string => {
  if (kind === 'several') return 'more than one fits';
  if (damage !== undefined) return differs === 'name' ? `${damages[damage]}, but the name differs` : damages[damage];
  return differs === 'name' ? 'a part of the name fits' : 'the same name';
};
