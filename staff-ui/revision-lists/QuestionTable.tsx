import { MAX_TOPIC } from '#api/contract/limits';
import { Table } from '../../ui/table/Table.tsx';
import type { Edits, Header, Page } from './edits.ts';
import { edited, shownOf } from './edits.ts';
import styles from './RevisionLists.module.css';

type QuestionTableProps = {
  readonly page: Page;
  readonly edits: Edits;
  readonly chosen: Header | undefined;
  readonly onEdit: (change: (edits: Edits) => Edits) => void;
};

/** The questions, with a tick for the chosen header. A question under another header shows that name instead. Only questions under a header can have a text. */
export const QuestionTable = ({ page: { headers, test }, edits, chosen, onEdit }: QuestionTableProps) => (
  <Table label="Questions" isList className={styles.questions}>
    <thead>
      <tr>
        <th scope="col">{chosen ? chosen.name : 'Header'}</th>
        <th scope="col">Qn</th>
        <th scope="col">Topic</th>
      </tr>
    </thead>
    <tbody>
      {test.questions.map((question) => {
        const { headerId, text } = shownOf(question, edits, headers);
        const other = headerId === chosen?.headerId ? undefined : headers.find((header) => header.headerId === headerId);
        return (
          <tr key={question.questionId} data-change={edits.has(question.questionId) ? 'replaced' : undefined}>
            <td>
              {other ? (
                <span className="muted small">{other.name}</span>
              ) : (
                chosen && (
                  <input
                    type="checkbox"
                    aria-label={`Question ${question.number} under ${chosen.name}`}
                    checked={headerId === chosen.headerId}
                    onChange={({ target }) => onEdit((all) => edited(all, question, { headerId: target.checked ? chosen.headerId : null }))}
                  />
                )
              )}
            </td>
            <td className="figure muted">{question.number}</td>
            <td>
              <input
                type="text"
                className={`field ${styles.text}`}
                aria-label={`Topic of question ${question.number}, instead of ${question.topic}`}
                placeholder={question.topic}
                title={text ?? question.topic}
                maxLength={MAX_TOPIC}
                disabled={headerId === null}
                value={text ?? ''}
                onChange={({ target }) => onEdit((all) => edited(all, question, { text: target.value === '' ? null : target.value }))}
              />
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
