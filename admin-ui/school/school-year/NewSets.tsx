import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import type { Structure } from '#api/school/school.contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { counted } from '../../format.ts';
import { ClassRow, ClassTable } from './ClassTable.tsx';
import styles from './SchoolYear.module.css';
import type { NewSet } from './suggestion.ts';
import { newSet } from './suggestion.ts';

type NewSetsProps = {
  readonly structure: Structure;
  readonly plan: SchoolYearPlan;
  readonly onChange: (newSets: readonly NewSet[]) => void;
};

/** Sets that there are not now: for those who come, and for parts of sets that are split. */
export const NewSets = ({ structure, plan: { newSets, yearGroups }, onChange }: NewSetsProps) => {
  const change = (index: number, changes: Partial<NewSet>) =>
    onChange(newSets.map((set, place) => (place === index ? { ...set, ...changes } : set)));
  const years = yearGroups.flatMap(({ year }) => year ?? []);
  const add = () => {
    const year = newSets.at(-1)?.year ?? Math.min(...years, ...structure.yearGroups.map((group) => group.year));
    const like = structure.yearGroups.find((group) => group.year === year)?.sets[0];
    const added = newSet(structure, like, year, '');
    if (added) onChange([...newSets, added]);
  };
  return (
    <section className={`stack ${styles.section}`} aria-label="New classes">
      <div className={`row gap-4 ${styles.head}`}>
        <h2>New classes</h2>
        <Button onClick={add}>Add a class</Button>
      </div>
      {newSets.length === 0 && <p className="muted">None. You need one to split a class, or for students who come.</p>}
      {newSets.length > 0 && (
        <details open={newSets.length <= 8 || newSets.some(({ name }) => name === '')}>
          <summary>
            {counted(newSets.length, 'class', 'classes')}
            {newSets.length > 1 && `, ${newSets[0]?.name} to ${newSets.at(-1)?.name}`}
          </summary>
          <ClassTable label="Classes of the new year" heads={['Year']} last="Remove">
            {newSets.map((set, index) => (
              <ClassRow
                key={index}
                structure={structure}
                value={set}
                nameLabel={`Name of new class ${index + 1}`}
                cells={
                  <td data-label="Year">
                    <input
                      className={styles.number}
                      aria-label={`Year of ${set.name || `new class ${index + 1}`}`}
                      value={set.year || ''}
                      inputMode="numeric"
                      onChange={({ target }) => change(index, { year: Number(target.value.replaceAll(/\D/g, '').slice(0, 2)) })}
                    />
                  </td>
                }
                last={
                  <Button
                    look="remove"
                    aria-label={`Leave out ${set.name || `new class ${index + 1}`}`}
                    onClick={() => onChange(newSets.filter((_, place) => place !== index))}
                  >
                    Leave out
                  </Button>
                }
                onChange={(changes) => change(index, changes)}
              />
            ))}
          </ClassTable>
        </details>
      )}
    </section>
  );
};
