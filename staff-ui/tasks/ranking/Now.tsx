import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { nowOf } from './figures.ts';
import styles from '../Steps.module.css';

type NowProps = { readonly student: Pick<RankedStudent, 'now' | 'computed'>; readonly of: 'ranking' | 'score' };

/** 'now 71.20', beneath what was ranked: what corrections of totals have made of it since. */
export const Now = ({ student, of }: NowProps) => {
  const now = nowOf(student, of);
  return now === undefined ? null : <span className={styles.now}>now {now}</span>;
};
