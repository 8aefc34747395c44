import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { overriddenText } from '#api/tasks/task-fields.contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { FlagTags } from './FlaggedTotals.tsx';
import { nowOf, rankText, residualText, scoreText } from './figures.ts';
import styles from '../Steps.module.css';

type CellProps = { readonly student: RankedStudent };

/** A student's rank, name and marks of what is open, as the tables of a ranking begin. */
export const RankAndName = ({ student }: CellProps) => (
  <>
    <td className="figure" data-label="Ranking">
      {rankText(student.ranking)}
      <Overridden student={student} of="ranking" />
      <Now student={student} of="ranking" />
    </td>
    <th scope="row">
      {student.name ?? 'Forgotten student'}
      {student.exempt && <span className={styles.tag}>exempt</span>}
      <FlagTags totalFlags={student.totalFlags} left={student.left} />
    </th>
  </>
);

/** The score opens its explanation. */
export const ScoreCell = ({ student, onExplain }: CellProps & { readonly onExplain: () => void }) => (
  <td className="figure" data-label="Score">
    <Button
      look="plain"
      aria-label={`${scoreText(student.score)}: how ${student.name ?? 'the student'}’s score came about`}
      onClick={onExplain}
    >
      {scoreText(student.score)}
    </Button>
    <Overridden student={student} of="score" />
    <Now student={student} of="score" />
  </td>
);

export const GradeCell = ({ student }: CellProps) => (
  <td data-label="Grade">
    {student.grade ?? '–'}
    <Overridden student={student} of="grade" />
  </td>
);

/** The residual compares with the computed rank, even where the leader has given another one. */
export const ResidualCell = ({ student: { residual, decided, computed } }: CellProps) => (
  <td className="figure" data-label="Residual">
    {residualText(residual)}
    {residual !== null && decided && decided.ranking !== null && (
      <span className={styles.now}>of the computed rank {computed.ranking}</span>
    )}
  </td>
);

/** 'now 71.20', beneath what was ranked: what corrections of totals have made of it since. */
export const Now = ({ student, of }: CellProps & { readonly of: 'ranking' | 'score' }) => {
  const now = nowOf(student, of);
  return now === undefined ? null : <span className={styles.now}>now {now}</span>;
};

/** 'overridden by Grace Bell, computed 87.75', beneath what the leader has decided. */
const Overridden = ({ student: { decided, computed }, of }: CellProps & { readonly of: 'ranking' | 'score' | 'grade' }) => {
  const value = of === 'score' && computed.score !== null ? scoreText(computed.score) : computed[of];
  return decided && decided[of] !== null && <span className={styles.now}>{overriddenText(decided.by, value)}</span>;
};
