import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { MAX_COMMENT } from '#api/tasks/task-fields.contract';
import { useId } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { FlagTags } from '../ranking/FlaggedTotals.tsx';
import { rankText, scoreText } from '../ranking/figures.ts';
import { Now } from '../ranking/Now.tsx';
import { Overridden } from '../ranking/Overridden.tsx';
import { ResidualCell } from '../ranking/ResidualCell.tsx';
import styles from '../Steps.module.css';
import type { CheckInput } from './check-input.ts';
import { wrongRank } from './check-input.ts';

type CheckRowProps = {
  readonly student: RankedStudent;
  /** Of which the score is made; `place`: of its total among those of the student. */
  readonly tests: readonly { readonly testId: string; readonly name: string; readonly max: number; readonly place: number }[];
  readonly kind: 'ranking' | 'grades';
  readonly input: CheckInput;
  readonly isOpen: boolean;
  readonly onChange: (part: Partial<CheckInput>) => void;
  readonly onExplain: () => void;
};

/** A student of the class: what was computed, and what the teacher says of it. */
export const CheckRow = ({ student, tests, kind, input, isOpen, onChange, onExplain }: CheckRowProps) => {
  const { prior, score, ranking, grade, sat, given, teacherRank, left, exempt } = student;
  const name = student.name ?? 'Forgotten student';
  const wrong = wrongRank(input.rank);
  const wrongId = useId();
  return (
    <tr data-out={left || exempt || undefined}>
      <td className={styles.number} data-label="Ranking">
        {rankText(ranking)}
        <Overridden student={student} of="ranking" />
        <Now student={student} of="ranking" />
      </td>
      <th scope="row">
        {name}
        {exempt && <span className={styles.tag}>exempt</span>}
        <FlagTags totalFlags={student.totalFlags} left={left} />
      </th>
      <td className={styles.aside}>{prior ?? '–'}</td>
      <td className={styles.number} data-label="Score">
        <Button look="plain" aria-label={`${scoreText(score)}: how ${name}’s score came about`} onClick={onExplain}>
          {scoreText(score)}
        </Button>
        <Overridden student={student} of="score" />
        <Now student={student} of="score" />
      </td>
      <ResidualCell student={student} />
      <td className={styles.text} data-label="Totals">
        {tests.map(({ testId, name: test, max, place }) => (
          <div key={testId}>
            {test}: {student.totals[place] ?? '–'} of {max}
          </div>
        ))}
      </td>
      <td className={styles.aside}>
        {sat} of {given}
      </td>
      {kind === 'ranking' ? (
        <td data-label="Your order">
          <input
            className={styles.typed}
            aria-label={`Your order of ${name}`}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong === undefined ? undefined : wrongId}
            inputMode="numeric"
            value={input.rank}
            disabled={!isOpen}
            onChange={({ target }) => onChange({ rank: target.value })}
          />
          {wrong !== undefined && (
            <div id={wrongId} className={styles.error}>
              {wrong}
            </div>
          )}
        </td>
      ) : (
        <>
          <td className={`${styles.number} ${styles.aside}`}>{teacherRank ?? ''}</td>
          <td data-label="Grade">
            {grade ?? '–'}
            <Overridden student={student} of="grade" />
          </td>
        </>
      )}
      <td data-label="Flag">
        <input
          type="checkbox"
          aria-label={`Flag ${name}`}
          checked={input.flag}
          disabled={!isOpen}
          onChange={({ target }) => onChange({ flag: target.checked })}
        />
      </td>
      <td className={styles.wide}>
        <input
          className={styles.comment}
          aria-label={`Comment on ${name}`}
          value={input.flag ? input.comment : ''}
          placeholder={input.flag ? 'Why?' : ''}
          maxLength={MAX_COMMENT}
          disabled={!isOpen || !input.flag}
          onChange={({ target }) => onChange({ comment: target.value })}
        />
      </td>
    </tr>
  );
};
