import type { Structure } from '#api/structure/structure.contract';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import type { SchoolSet } from '../../shell/place.ts';
import { mapKey } from './maps.ts';
import styles from '../Steps.module.css';

type MapTableProps = {
  readonly tests: Structure['tests'];
  readonly sets: readonly SchoolSet[];
  readonly chosen: ReadonlySet<string>;
  readonly fixed: boolean;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

/** Classes by assessments, to be ticked one by one or for all classes at once. */
export const MapTable = ({ tests, sets, chosen, fixed, onChange }: MapTableProps) => {
  /** What a class is assigned already comes first; anything else of the subject can be chosen too. */
  const offered = tests.filter(
    ({ testId, max }) =>
      max !== null && sets.some((set) => set.testIds.includes(testId) || chosen.has(mapKey({ setId: set.setId, testId }))),
  );
  if (offered.length === 0)
    return (
      <EmptyState title="No assessment for these classes yet">
        An assessment with questions, chosen for at least one class of the year group, can be ranked by. An admin of your school adds it.
      </EmptyState>
    );
  const keysOf = (testId: string) => sets.map(({ setId }) => mapKey({ setId, testId }));
  const toggle = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    onChange(next);
  };
  return (
    <Scrollable label="Classes and their assessments" className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Class</th>
            {offered.map(({ testId, name }) => (
              <th key={testId} scope="col" className={styles.test}>
                {name}
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
          {sets.map(({ setId, name, students }) => (
            <tr key={setId}>
              <th scope="row">
                {name} <span className={styles.hint}>{students}</span>
              </th>
              {offered.map((test) => {
                const key = mapKey({ setId, testId: test.testId });
                return (
                  <td key={test.testId}>
                    <input
                      type="checkbox"
                      aria-label={`${name}: ${test.name}`}
                      disabled={fixed}
                      checked={chosen.has(key)}
                      onChange={({ target }) => toggle([key], target.checked)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
};
