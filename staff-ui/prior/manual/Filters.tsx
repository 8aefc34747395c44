import { naturalOrder } from '#api/contract/order';
import { Select } from '../../../ui/controls/Field.tsx';
import styles from '../Prior.module.css';
import type { Filter, Student } from './typed-scores.ts';

type FiltersProps = { readonly students: readonly Student[]; readonly filter: Filter; readonly onFilter: (filter: Filter) => void };

/** One class, or only students without a score. */
export const Filters = ({ students, filter, onFilter }: FiltersProps) => {
  const sets = [...new Map(students.map(({ setId, setName }) => [setId, setName]))].toSorted(([, a], [, b]) => naturalOrder(a, b));
  return (
    <div className={styles.filters} role="search">
      {sets.length > 1 && (
        <Select label="Class" value={filter.setId} onChange={(event) => onFilter({ ...filter, setId: event.target.value })}>
          <option value="">All classes</option>
          {sets.map(([setId, name]) => (
            <option key={setId} value={setId}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <label className={styles.choice}>
        <input type="checkbox" checked={filter.missing} onChange={(event) => onFilter({ ...filter, missing: event.target.checked })} />
        Only students without a score
      </label>
    </div>
  );
};
