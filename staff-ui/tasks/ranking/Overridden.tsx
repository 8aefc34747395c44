import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { overriddenText } from '#api/tasks/task-fields.contract';
import styles from '../Steps.module.css';
import { scoreText } from './figures.ts';

type OverriddenProps = { readonly student: Pick<RankedStudent, 'decided' | 'computed'>; readonly of: 'ranking' | 'score' | 'grade' };

/** 'overridden by Grace Bell, computed 87.75', beneath what the leader has decided. */
export const Overridden = ({ student: { decided, computed }, of }: OverriddenProps) => {
  const value = of === 'score' && computed.score !== null ? scoreText(computed.score) : computed[of];
  return decided && decided[of] !== null && <span className={styles.now}>{overriddenText(decided.by, value)}</span>;
};
