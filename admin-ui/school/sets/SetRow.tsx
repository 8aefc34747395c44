import { wrongThresholds } from '#api/contract/rules';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Button, IconButton } from '@mui/material';
import { useId } from 'react';
import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { HistoryLink } from '../../../ui/record/HistoryLink.tsx';
import { memoRow } from '../../drafts/memo-row.ts';
import type { DraftErrors } from '../../drafts/useDrafts.ts';
import { Choice as Tick } from '../../list/filters/Choice.tsx';
import { AssessmentsCell } from './Assessments.tsx';
import row from '../../drafts/Row.module.css';
import styles from './Classes.module.css';
import type { Choice, TeachingSet } from './set.ts';
import { colours, turned } from './set.ts';

/** Handlers that stay the same for as long as the table is shown. */
export type SetActs = {
  readonly onChoose: (setId: string) => void;
  readonly onChange: (stored: TeachingSet, values: Partial<TeachingSet>) => void;
  readonly onReload: (setId: string) => void;
  readonly onDelete: (stored: TeachingSet) => void;
};

type SetRowProps = SetActs & {
  readonly stored: TeachingSet;
  /** With unsaved changes. */
  readonly set: TeachingSet;
  readonly isChanged: boolean;
  readonly isChosen: boolean;
  readonly schemes: readonly Choice[];
  readonly tests: readonly Choice[];
  /** Who teach it, as text. */
  readonly teachers: string;
  /** The year to which it is about to move. */
  readonly toYear: number | undefined;
  readonly errors: DraftErrors;
};

/** A set of the table: edited in place. What is wrong stands beneath. */
export const SetRow = memoRow((props: SetRowProps) => {
  const { stored, set, isChanged, isChosen, schemes, tests, teachers, toYear, errors, onChoose, onChange, onReload, onDelete } = props;
  const why = useId();
  const called = stored.name;
  const wrongLevels = wrongThresholds(set.thresholds) ?? errors['thresholds'];
  const wrong = [errors['name'], errors['schemeId'], errors['testIds'], wrongLevels, errors['yearGroupId']].filter(
    (one) => one !== undefined,
  );
  const field = (isWrong: boolean) => ({
    className: row.field,
    'aria-invalid': isWrong,
    'aria-describedby': isWrong ? why : undefined,
    autoComplete: 'off',
  });
  return (
    <>
      <tr className={isChanged ? row.changed : undefined} aria-label={`Set ${called}`}>
        <Changes>
          <td className={styles.tick} data-choice>
            <Tick checked={isChosen} label={`Choose ${called}`} onChange={() => onChoose(stored.id)} />
          </td>
        </Changes>
        <th scope="row" data-label="Group name">
          <input
            {...field(errors['name'] !== undefined)}
            aria-label={`Group name of ${called}`}
            value={set.name}
            maxLength={200}
            onChange={({ target }) => onChange(stored, { name: target.value })}
          />
          {isChanged && <span className="sr">changed, not saved yet</span>}
          {toYear !== undefined && <small className={`muted ${styles.moves}`}>to Year {toYear}</small>}
        </th>
        <td data-label="Students" className="figure">
          {set.students}
        </td>
        <td data-label="Scheme of work" className={styles.scheme}>
          <select
            {...field(errors['schemeId'] !== undefined)}
            aria-label={`Scheme of work of ${called}`}
            value={schemes.some(({ id }) => id === set.schemeId) ? set.schemeId : ''}
            onChange={({ target }) => onChange(stored, { schemeId: target.value })}
          >
            {!schemes.some(({ id }) => id === set.schemeId) && <option value="">Choose one</option>}
            {schemes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </td>
        <td data-label="Assessments" className={styles.tests}>
          <AssessmentsCell
            set={set}
            called={called}
            tests={tests}
            onTurn={(testId, sits) => onChange(stored, { testIds: turned(stored, set, testId, sits) })}
          />
        </td>
        <td data-label="Teachers" className={`breaks ${styles.teachers}`}>
          {teachers === '' ? <span className="muted">nobody yet</span> : teachers}
        </td>
        {colours.map(({ key, label }) => (
          <td key={key} data-label={label} className={`figure ${styles.level}`}>
            <input
              {...field(wrongLevels !== undefined)}
              aria-label={`${label} of ${called}`}
              value={Number.isNaN(set.thresholds[key]) ? '' : set.thresholds[key]}
              inputMode="numeric"
              maxLength={3}
              onChange={({ target }) =>
                onChange(stored, {
                  thresholds: { ...set.thresholds, [key]: target.value.trim() === '' ? Number.NaN : Number(target.value) },
                })
              }
            />
          </td>
        ))}
        <td className={`figure ${styles.acts}`}>
          <HistoryLink of={{ id: stored.id, name: called }} />
          <Changes>
            <IconButton size="small" aria-label={`Delete set ${called}`} onClick={() => onDelete(stored)}>
              <DeleteIcon fontSize="small" />
            </IconButton>
          </Changes>
        </td>
      </tr>
      {(wrong.length > 0 || errors[''] !== undefined) && (
        <tr>
          <td colSpan={COLUMNS} className="failed breaks">
            <span id={why} role="status">
              {[...wrong, errors['']].filter((one) => one !== undefined).join(' ')}
            </span>
            {errors[''] !== undefined && (
              <Button size="small" onClick={() => onReload(stored.id)}>
                Reload
              </Button>
            )}
          </td>
        </tr>
      )}
    </>
  );
});

const COLUMNS = 10;
