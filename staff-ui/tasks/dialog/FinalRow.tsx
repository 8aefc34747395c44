import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import { useId } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Now, ResidualCell } from '../ranking/cells.tsx';
import { FlagTags } from '../ranking/FlaggedTotals.tsx';
import { flaggedText, scoreText } from '../ranking/figures.ts';
import type { FinalInput, WrongFinalInput } from './final-check.ts';
import { typedScore } from './final-check.ts';
import styles from '../Steps.module.css';

type FinalRowProps = {
  readonly student: RankedStudent;
  readonly setName: string;
  readonly typed: FinalInput;
  readonly wrong: WrongFinalInput;
  /** Labels of the profile, offered while a grade is typed. */
  readonly grades: readonly string[];
  readonly onChange: (part: Partial<FinalInput>) => void;
  readonly onExplain: () => void;
};

/** A student of the final check: what counts, in fields that override what was computed. */
export const FinalRow = ({ student, setName, typed, wrong, grades, onChange, onExplain }: FinalRowProps) => {
  const id = useId();
  const { computed, decided, left, exempt, prior, sat, given, teacherRank } = student;
  const name = student.name ?? 'Forgotten student';
  const isOut = left || typed.exempt;
  const isDecided = (part: keyof WrongFinalInput) => (decided?.[part] ?? null) !== null;
  const field = (part: 'ranking' | 'score' | 'grade', label: string) => (
    <td data-label={label}>
      <span className="line gap-1">
        <input
          className={`field ${styles.typed}`}
          aria-label={`${label} of ${name}`}
          aria-invalid={wrong[part] !== undefined}
          aria-describedby={`${id}-${part}`}
          data-changed={isDecided(part) || undefined}
          value={typed[part]}
          disabled={isOut}
          maxLength={20}
          {...(part === 'grade' ? { list: `${id}-grades` } : { inputMode: part === 'ranking' ? 'numeric' : 'decimal' })}
          onChange={({ target }) => onChange({ [part]: target.value })}
        />
        {part === 'score' && (
          <Button look="plain" aria-label={`${scoreText(student.score)}: how ${name}’s score came about`} onClick={onExplain}>
            how
          </Button>
        )}
      </span>
      {part !== 'grade' && <Now student={student} of={part} />}
      <div id={`${id}-${part}`} className={wrong[part] === undefined ? 'muted small' : 'failed small'}>
        {wrong[part] ?? (isDecided(part) ? `computed: ${(part === 'score' ? typedScore(computed.score) : computed[part]) || 'none'}` : '')}
      </div>
    </td>
  );
  return (
    <tr data-out={isOut || undefined}>
      <th scope="row">
        {name}
        {decided && (
          <span className={styles.tag}>
            {exempt ? 'exempt' : 'overridden'} by {decided.by ?? 'somebody who was forgotten'}
          </span>
        )}
        <FlagTags totalFlags={student.totalFlags} left={left} />
      </th>
      <td data-label="Class">{setName}</td>
      {field('ranking', 'Ranking')}
      {field('score', 'Score')}
      {field('grade', 'Grade')}
      <td data-label="Prior">{prior ?? '–'}</td>
      <ResidualCell student={student} />
      <td data-label="Tests sat">
        {sat} of {given}
      </td>
      <td className="figure" data-label="Teacher rank">
        {teacherRank ?? '–'}
      </td>
      <td data-label="Exempt">
        <input
          type="checkbox"
          aria-label={`${name} is exempt`}
          checked={typed.exempt}
          disabled={left}
          onChange={({ target }) => onChange({ exempt: target.checked })}
        />
        <datalist id={`${id}-grades`}>
          {grades.map((grade) => (
            <option key={grade}>{grade}</option>
          ))}
        </datalist>
      </td>
      <td className={`${styles.text} ${styles.wide}`}>{flaggedText(student)}</td>
    </tr>
  );
};
