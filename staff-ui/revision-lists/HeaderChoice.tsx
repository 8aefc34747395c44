import { useId } from 'react';
import type { Edits, Page } from './edits.ts';
import { shownOf } from './edits.ts';
import styles from './RevisionLists.module.css';

type HeaderChoiceProps = {
  readonly page: Page;
  readonly edits: Edits;
  readonly chosen: string | undefined;
  readonly onChoose: (headerId: string) => void;
};

/** The headers, each with the questions of this assessment under it. */
export const HeaderChoice = ({ page: { headers, test }, edits, chosen, onChoose }: HeaderChoiceProps) => {
  const name = useId();
  if (headers.length === 0) return <p className={styles.hint}>There is no topic header yet. Add one with Edit Topic Headers.</p>;
  return (
    <fieldset className={styles.choices}>
      <legend>Put the questions that you tick under</legend>
      {headers.map(({ headerId, name: header }) => {
        const under = test.questions.filter((question) => shownOf(question, edits, headers).headerId === headerId);
        return (
          <div key={headerId} className={styles.header} data-chosen={headerId === chosen || undefined}>
            <label>
              <input type="radio" name={name} checked={headerId === chosen} onChange={() => onChoose(headerId)} />
              <span>{header}</span>
            </label>
            {under.length > 0 && (
              <ul>
                {under.map((question) => (
                  <li key={question.questionId}>
                    <span className={styles.number}>{question.number}</span> {shownOf(question, edits, headers).text ?? question.topic}
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </fieldset>
  );
};
