import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { MAX_COMMENT } from '#api/tasks/task-fields.contract';
import { useId } from 'react';
import { GradeCell, RankAndName, ResidualCell, ScoreCell } from '../ranking/cells.tsx';
import styles from '../Steps.module.css';
import type { CheckInput } from './check-input.ts';
import { wrongRank } from './check-input.ts';

type CheckRowProps = {
  readonly student: RankedStudent;
  /** The tests that make up the score; `place`: the position of a test's total in `student.totals`. */
  readonly tests: readonly { readonly testId: string; readonly name: string; readonly max: number; readonly place: number }[];
  readonly kind: 'ranking' | 'grades';
  readonly input: CheckInput;
  readonly isOpen: boolean;
  readonly onChange: (part: Partial<CheckInput>) => void;
  readonly onExplain: () => void;
};

/** A student of the class: what was computed, and what the teacher says about it. */
export const CheckRow = ({ student, tests, kind, input, isOpen, onChange, onExplain }: CheckRowProps) => {
  const { prior, sat, given, teacherRank, left, exempt } = student;
  const name = student.name ?? 'Forgotten student';
  const wrong = wrongRank(input.rank);
  const wrongId = useId();
  return (
    <tr data-out={left || exempt || undefined}>
      <RankAndName student={student} />
      <td className={styles.aside}>{prior ?? '–'}</td>
      <ScoreCell student={student} onExplain={onExplain} />
      <ResidualCell student={student} />
      <td className={styles.totals} data-label="Totals">
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
            className={`field ${styles.typed}`}
            aria-label={`Your order of ${name}`}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong === undefined ? undefined : wrongId}
            inputMode="numeric"
            value={input.rank}
            disabled={!isOpen}
            onChange={({ target }) => onChange({ rank: target.value })}
          />
          {wrong !== undefined && (
            <div id={wrongId} className="failed small">
              {wrong}
            </div>
          )}
        </td>
      ) : (
        <>
          <td className={`figure ${styles.aside}`}>{teacherRank ?? ''}</td>
          <GradeCell student={student} />
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
          className={`field ${styles.comment}`}
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
