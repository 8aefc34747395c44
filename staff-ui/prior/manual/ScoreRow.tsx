import type { KeyboardEvent } from 'react';
import { useId } from 'react';
import { OvertakenActs } from '../../../ui/drafts/OvertakenNotice.tsx';
import styles from '../Prior.module.css';
import type { Student } from './typed-scores.ts';
import { errorOf, hintOf, nameOf } from './typed-scores.ts';
import type { ManualScores } from './useManualScores.ts';

type ScoreRowProps = { readonly student: Student; readonly form: ManualScores };

export const ScoreRow = ({ student, form: { drafts, type, overtaken: overtakenOf } }: ScoreRowProps) => {
  const note = useId();
  const { studentId, setName, now, earlier } = student;
  const mine = drafts[studentId];
  const overtaken = overtakenOf(student);
  const error = errorOf(mine);
  const hint = hintOf(mine);
  return (
    <tr>
      <th scope="row">{nameOf(student)}</th>
      <td>{setName}</td>
      <td>
        <input
          className={`field ${styles.score}`}
          aria-label={`Score of ${nameOf(student)}`}
          autoComplete="off"
          value={mine?.value ?? now?.score ?? ''}
          data-changed={mine !== undefined || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={note}
          onChange={(event) => type(student, event.target.value)}
          onKeyDown={move}
          onFocus={(event) => event.target.select()}
        />
      </td>
      <td id={note} className={error ? 'small failed' : 'small muted'}>
        {error ? (
          <>
            {error}
            {hint !== undefined && <div className="muted">{hint}</div>}
          </>
        ) : overtaken ? (
          <span className="row gap-4">
            Meanwhile: {now?.score ?? 'taken back'}
            <OvertakenActs overtaken={overtaken} />
          </span>
        ) : mine?.value.trim() === '' ? (
          'An empty field changes nothing: use Undo below to take a score back.'
        ) : (
          [now && `Completed in ${now.yearCompleted}`, ...earlier.map(({ score, yearCompleted }) => `${yearCompleted}: ${score}`)]
            .filter(Boolean)
            .join(' · ')
        )}
      </td>
    </tr>
  );
};

/** Enter and the arrow keys move between students. */
const move = (event: KeyboardEvent<HTMLInputElement>) => {
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const fields = [...(event.currentTarget.closest('tbody')?.querySelectorAll('input') ?? [])];
  const next = fields[fields.indexOf(event.currentTarget) + step];
  next?.focus();
};
