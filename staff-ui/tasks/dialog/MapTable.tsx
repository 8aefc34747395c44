import type { EnteredTotals } from '#api/tasks/entered-totals.contract';
import { useId } from 'react';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import type { OfferedMaps } from './maps.ts';
import { mapKey, enteredText } from './maps.ts';
import styles from '../Steps.module.css';

type MapTableProps = {
  readonly maps: OfferedMaps;
  /** How many totals there are; undefined: not known yet. */
  readonly entered: EnteredTotals['entered'] | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly fixed: boolean;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

/** Classes by assessments with how many totals each has, to be ticked one by one or for all classes at once. */
export const MapTable = ({ maps: { sets, offered, isOffered }, entered, chosen, fixed, onChange }: MapTableProps) => {
  const id = useId();
  if (offered.length === 0)
    return (
      <EmptyState title="No assessment for these classes yet">
        Students are ranked by assessments with questions, each chosen for at least one class of the year group. An admin of your school
        adds them.
      </EmptyState>
    );
  const keysOf = (testId: string) => sets.map(({ setId }) => mapKey({ setId, testId })).filter(isOffered);
  const totals = new Map(entered?.map((one) => [mapKey(one), enteredText(one)]));
  const toggle = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    onChange(next);
  };
  return (
    <Table label="Classes and their assessments" region={styles.scroll}>
      <thead>
        <tr>
          <th scope="col">Class</th>
          {offered.map(({ testId, name, gone }) => (
            <th key={testId} scope="col" className={styles.test}>
              {name}
              {gone && <span className={styles.tag}>not there any more</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr className={styles.all}>
          <th scope="row">All classes</th>
          {offered.map(({ testId, name }) => {
            const keys = keysOf(testId);
            const ticked = keys.filter((key) => chosen.has(key)).length;
            return (
              <td key={testId}>
                <input
                  type="checkbox"
                  aria-label={`${name}: all classes`}
                  disabled={fixed}
                  checked={ticked === keys.length}
                  ref={(box) => {
                    if (box) box.indeterminate = ticked > 0 && ticked < keys.length;
                  }}
                  onChange={({ target }) => toggle(keys, target.checked)}
                />
              </td>
            );
          })}
        </tr>
        {sets.map(({ setId, name, students, gone }) => (
          <tr key={setId}>
            <th scope="row">
              {name} <span className="muted small">{students}</span>
              {gone && <span className={styles.tag}>not there any more</span>}
            </th>
            {offered.map((test) => {
              const key = mapKey({ setId, testId: test.testId });
              return (
                <td key={test.testId}>
                  {isOffered(key) && (
                    <label className={`line ${styles.cell}`}>
                      <input
                        type="checkbox"
                        aria-label={`${name}: ${test.name}`}
                        aria-describedby={`${id}${key.replace(' ', '-')}`}
                        disabled={fixed}
                        checked={chosen.has(key)}
                        onChange={({ target }) => toggle([key], target.checked)}
                      />
                      <span id={`${id}${key.replace(' ', '-')}`} className="muted small">
                        {totals.get(key) ?? ''}
                      </span>
                    </label>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
};
