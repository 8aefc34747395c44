import type { Markbook } from '#api/marks/marks.contract';
import { counted, dateTime, some } from '../../format.ts';
import styles from './Toolbar.module.css';

type RankingOfProps = { readonly markbook: Markbook; readonly onChoose: (taskId: string | undefined) => void };

/** From which feedback task the ranking comes, when it was made and over whom; and the others that can be shown. */
export const RankingOf = ({ markbook: { ranked, rankings = [] }, onChoose }: RankingOfProps) => {
  if (!ranked) return null;
  const { taskId, name, at, students, sets } = ranked;
  return (
    <p className={styles.ranking}>
      {rankings.length > 1 ? (
        <label>
          Ranking of{' '}
          <select value={taskId} onChange={({ target }) => onChoose(target.value === rankings[0]?.taskId ? undefined : target.value)}>
            {rankings.map((one) => (
              <option key={one.taskId} value={one.taskId}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <>Ranking of {nameOf({ name })}</>
      )}{' '}
      <span>
        {dateTime(at)}, over {counted(students, 'student')} of {some(sets, 4)}
      </span>
    </p>
  );
};

const nameOf = ({ name }: { readonly name: string | null }): string => name ?? 'A task without a name';
