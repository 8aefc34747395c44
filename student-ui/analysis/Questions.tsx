import type { StudentCard } from '#api/analysis/student/student.contract';
import { FlagNotes, FlagSigns } from '../../ui/feedback/FlagSigns.tsx';
import { Heads, Table } from '../../ui/table/Table.tsx';
import styles from './Dashboard.module.css';

type Question = StudentCard['questions'][number];

/** Every question with its mark and colour, and what all students got on average. */
export const Questions = ({ questions }: { readonly questions: readonly Question[] }) => (
  <details className={styles.questions}>
    <summary>Question by question ({questions.length})</summary>
    <Table label={`All ${questions.length} questions`} className="large">
      <Heads names={['Question', 'Mark', 'Average']} figures={['Mark', 'Average']} />
      <tbody>
        {questions.map(({ questionId, number, topic, mark, flags, max, average, value, rag }) => (
          <tr key={questionId}>
            <th scope="row" className="breaks">
              {number}. {topic}
            </th>
            <td className="figure" data-band={rag ?? undefined}>
              {mark ?? '–'}/{max}
              <FlagSigns flags={flags} />
              <Band rag={rag} />
              {mark === null && <span className="sr">{value === null ? ' nobody of the class has a mark yet' : ' left out'}</span>}
            </td>
            <td className="figure">{average === null ? <span title="Fewer than five students">–</span> : `${average} %`}</td>
          </tr>
        ))}
      </tbody>
    </Table>
    <FlagNotes flags={questions.flatMap(({ flags }) => flags ?? [])} className="muted" />
    <p className="muted">The averages are of everybody who sat it. They change only after five students’ marks have changed.</p>
  </details>
);

/** A colour never speaks alone. */
export const Band = ({ rag }: { readonly rag: Question['rag'] }) =>
  rag && (
    <>
      <span aria-hidden="true" className={`tiny ${styles.sign}`}>
        {SIGNS[rag]}
      </span>
      <span className="sr"> {rag}</span>
    </>
  );
const SIGNS = { green: '▲', amber: '●', red: '▼' } as const;
