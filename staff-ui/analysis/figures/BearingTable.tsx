import type { ReactNode } from 'react';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import { oneDecimal } from '../../format.ts';
import styles from './Explanations.module.css';
import type { OpenMarks } from './OpenFlag.tsx';
import { OpenFlag } from './OpenFlag.tsx';

export type BearingRow = {
  readonly questionId: string;
  readonly test: string;
  readonly number: number;
  readonly topic: string;
  readonly byHand: boolean;
  /** Names of the pre-requisites by which it bears on the topic. */
  readonly through: readonly string[];
  /** What the marks are: '41 of 58', or a mark. */
  readonly marks: ReactNode;
  readonly share: number | null;
  readonly open: OpenMarks | undefined;
  readonly onOpen: () => void;
};

/** The questions on which the value of a topic rests, and why each bears on it. */
export const BearingTable = ({ label, rows }: { readonly label: string; readonly rows: readonly BearingRow[] }) => (
  <Table label={label} isList cardsBelow={600}>
    <Heads names={['Question', 'Test', 'Bears on it', 'Marks', 'Share', 'Note']} figures={['Marks', 'Share']} />
    <tbody>
      {rows.map(({ questionId, test, number, topic, byHand, through, marks, share, open, onOpen }) => (
        <tr key={questionId}>
          <th scope="row">
            <button type="button" className="link" onClick={onOpen}>
              Q{number} {topic}
            </button>
          </th>
          <td className={`breaks ${styles.wrapped}`} data-label="Test">
            {test}
          </td>
          <td className={`breaks ${styles.wrapped}`} data-label="Bears on it">
            {whyText(byHand, through)}
          </td>
          <td className="figure" data-label="Marks">
            {marks}
          </td>
          <td className="figure" data-label="Share">
            {share === null ? '–' : `${oneDecimal(100 * share)} %`}
          </td>
          <td>
            <OpenFlag open={open} of={`question ${number}`} onDecide={onOpen} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const whyText = (byHand: boolean, through: readonly string[]): string =>
  [byHand && 'mapped by hand', through.length > 0 && `through ${through.join(', ')}`].filter(Boolean).join(', and ');
