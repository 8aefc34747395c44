import { OFF_ROLL_NAME } from '#api/students/off-roll.contract';
import type { ImportPreview } from '#api/students/students.contract';
import { useStructure } from '../../data/useStructure.ts';
import type { Decisions, Others } from './import-input.ts';
import { notInFile } from './import-input.ts';
import styles from './ImportPage.module.css';

type OthersChoiceProps = {
  readonly subjectId: string;
  readonly preview: ImportPreview;
  readonly value: Others;
  readonly onDecide: (change: Pick<Decisions, 'others'> | Pick<Decisions, 'othersIn'>) => void;
};

const options: readonly { readonly value: Others; readonly label: string }[] = [
  { value: 'keep', label: '1. Keep them in their current groups' },
  { value: 'off-roll', label: '2. Move them to Off-Roll' },
  { value: 'remove', label: '3. Permanently remove them from this subject, with their results' },
];

/** What to do with students of the subject who are not in the file, and of which year groups. */
export const OthersChoice = ({ subjectId, preview, value, onDecide }: OthersChoiceProps) => (
  <fieldset className={`stack gap-3 ${styles.part}`}>
    <legend>Existing students who are not in the file</legend>
    <p className="muted">
      {preview.others.length === 0 ? 'There are none: the file holds every student of this subject.' : notInFile(preview)}
      {value === 'remove' && ' Undo brings them back with their results, and so does adding them again.'}
    </p>
    {preview.others.length > 0 && (
      <>
        {options.map((option) => (
          <label key={option.value} className={`line ${styles.option}`}>
            <input type="radio" name="others" checked={value === option.value} onChange={() => onDecide({ others: option.value })} />
            {option.label}
          </label>
        ))}
        <Groups subjectId={subjectId} preview={preview} value={value} onDecide={(othersIn) => onDecide({ othersIn })} />
      </>
    )}
  </fieldset>
);

type GroupsProps = Pick<OthersChoiceProps, 'subjectId' | 'preview' | 'value'> & {
  readonly onDecide: (othersIn: readonly string[]) => void;
};

/** How many of each year group are not in the file; those of the ticked ones are meant. */
const Groups = ({ subjectId, preview: { others, othersIn }, value, onDecide }: GroupsProps) => {
  const { data } = useStructure(subjectId);
  const places = [...(data?.yearGroups ?? []).map(({ yearGroupId, year }) => ({ id: yearGroupId, name: `Year ${year}` })), OFF_ROLL];
  const counts = Map.groupBy(others, (student) => student.in);
  const groups = places.flatMap(({ id, name }) => {
    const students = counts.get(id)?.length ?? 0;
    // Who is in Off-Roll already is not moved there.
    const isThere = id === OFF_ROLL.id && value !== 'remove';
    return students === 0 || isThere ? [] : [{ id, says: `${name}: ${students.toLocaleString('en-GB')} not in the file` }];
  });
  if (value === 'keep') return <p className="muted">{groups.map(({ says }) => says).join(' · ')}</p>;
  const tick = (id: string, isTicked: boolean) => onDecide(isTicked ? [...othersIn, id] : othersIn.filter((other) => other !== id));
  return (
    <fieldset className={styles.groups}>
      <legend className="muted">Only those of these year groups</legend>
      {groups.map(({ id, says }) => (
        <label key={id} className={`line ${styles.option}`}>
          <input type="checkbox" checked={othersIn.includes(id)} onChange={({ target }) => tick(id, target.checked)} />
          {says}
        </label>
      ))}
    </fieldset>
  );
};

const OFF_ROLL = { id: 'off-roll', name: OFF_ROLL_NAME };
