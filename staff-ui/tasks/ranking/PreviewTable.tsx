import type { RankingPreview } from '#api/tasks/ranking/ranking-preview.contract';
import { FlagTags } from './FlaggedTotals.tsx';
import { rankText, residualText, scoreText } from './figures.ts';
import { Rows } from './Rows.tsx';
import styles from '../Steps.module.css';

const HEADS = [
  { name: 'Ranking', numeric: true },
  { name: 'Name' },
  { name: 'Class' },
  { name: 'Prior', aside: true },
  { name: 'Score', numeric: true },
  { name: 'Residual', numeric: true },
  { name: 'Tests sat' },
];

/** What a ranking would make, with what stands now beside it. */
export const PreviewTable = ({ preview: { students } }: { readonly preview: RankingPreview }) => (
  <Rows label="The ranking before it is stored" heads={HEADS} rows={students}>
    {({ studentId, name, setName, prior, sat, given, score, ranking, residual, totalFlags, was }) => (
      <tr key={studentId}>
        <td className={styles.number}>
          {rankText(ranking)}
          {was && was.ranking !== ranking && <span className={styles.now}>was {rankText(was.ranking)}</span>}
        </td>
        <th scope="row">
          {name ?? 'Forgotten student'}
          <FlagTags totalFlags={totalFlags} />
        </th>
        <td>{setName}</td>
        <td className={styles.aside}>{prior ?? '–'}</td>
        <td className={styles.number}>
          {scoreText(score)}
          {was && was.score !== score && <span className={styles.now}>was {scoreText(was.score)}</span>}
        </td>
        <td className={styles.number}>{residualText(residual)}</td>
        <td>
          {sat} of {given}
        </td>
      </tr>
    )}
  </Rows>
);
