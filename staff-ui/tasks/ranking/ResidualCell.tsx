import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import styles from '../Steps.module.css';
import { residualText } from './figures.ts';

type ResidualCellProps = { readonly student: Pick<RankedStudent, 'residual' | 'decided' | 'computed'> };

/** The residual goes by the computed rank, also where the leader has given another one. */
export const ResidualCell = ({ student: { residual, decided, computed } }: ResidualCellProps) => (
  <td className={styles.number} data-label="Residual">
    {residualText(residual)}
    {residual !== null && decided && decided.ranking !== null && (
      <span className={styles.now}>of the computed rank {computed.ranking}</span>
    )}
  </td>
);
