import { counted } from '../../format.ts';
import type { Others } from './import-input.ts';
import styles from './ImportPage.module.css';

type OthersChoiceProps = { readonly count: number; readonly value: Others; readonly onChange: (others: Others) => void };

const options: readonly { readonly value: Others; readonly label: string }[] = [
  { value: 'keep', label: '1. Keep them in their current groups' },
  { value: 'off-roll', label: '2. Move them to Off-Roll' },
  { value: 'remove', label: '3. Permanently remove them from this subject, with their results' },
];

/** What to do with students of the subject who are not in the file. */
export const OthersChoice = ({ count, value, onChange }: OthersChoiceProps) => (
  <fieldset className={styles.part}>
    <legend>Existing students who are not in the file</legend>
    <p className={styles.quiet}>
      {count === 0 ? 'There are none: the file holds every student of this subject.' : `${counted(count, 'student')} of this subject.`}
      {value === 'remove' && ' Undo brings them back with their results, and so does adding them again.'}
    </p>
    {count > 0 &&
      options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input type="radio" name="others" checked={value === option.value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
  </fieldset>
);
