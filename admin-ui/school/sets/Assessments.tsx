import { Popover } from '../../../ui/controls/Popover.tsx';
import { useReadOnly } from '../../../ui/frame/ReadOnly.tsx';
import styles from './Assessments.module.css';
import type { Choice, TeachingSet } from './set.ts';

type Turn = (testId: string, sits: boolean) => void;
type ChoicesProps = {
  readonly legend: string;
  readonly tests: readonly Choice[];
  readonly sets: readonly TeachingSet[];
  readonly onTurn: Turn;
};

/** Which assessments one or several sets sit. What only some of them sit is ticked in part: one more tick, and all of them do. */
export const AssessmentChoices = ({ legend, tests, sets, onTurn }: ChoicesProps) => (
  <fieldset className={styles.choices}>
    <legend className="strong">{legend}</legend>
    {tests.length === 0 && <p>This subject has no assessments yet. Add them under Assessment Data.</p>}
    {tests.map(({ id, name }) => {
      const sitting = sets.filter(({ testIds }) => testIds.includes(id)).length;
      const isInPart = sitting > 0 && sitting < sets.length;
      return (
        <label key={id} className="line">
          <input
            type="checkbox"
            checked={sitting > 0 && !isInPart}
            ref={(box) => {
              if (box) box.indeterminate = isInPart;
            }}
            onChange={() => onTurn(id, sitting < sets.length)}
          />
          <span className="grow breaks">{name}</span>
          {isInPart && (
            <small className="rigid muted tiny">
              {sitting} of {sets.length} sets
            </small>
          )}
        </label>
      );
    })}
  </fieldset>
);

type CellProps = { readonly set: TeachingSet; readonly called: string; readonly tests: readonly Choice[]; readonly onTurn: Turn };

/** A set's assessments: as many chips as there is room for, and how many there are; it opens to choose. */
export const AssessmentsCell = ({ set, called, tests, onTurn }: CellProps) => {
  const readOnly = useReadOnly();
  const chosen = tests.filter(({ id }) => set.testIds.includes(id));
  const chips = (
    <span className={readOnly ? 'row gap-1' : styles.chips}>
      {chosen.map(({ id, name }) => (
        <span key={id} className={styles.chip}>
          {name}
        </span>
      ))}
    </span>
  );
  if (readOnly) return chips;
  const names = chosen.length === 0 ? 'none yet' : chosen.map(({ name }) => name).join(', ');
  return (
    <Popover
      className={styles.open}
      name={`Mapped assessments of ${called}: ${names}`}
      label={
        <>
          {chosen.length === 0 ? <span className="grow muted">none yet</span> : chips}
          <span className="rigid muted small">{chosen.length > 1 && chosen.length}</span>
        </>
      }
    >
      <AssessmentChoices legend={`Mapped assessments of ${called}`} tests={tests} sets={[set]} onTurn={onTurn} />
    </Popover>
  );
};
