import { typedNumber, wrongYear } from '#api/contract/rules';
import type { Structure } from '#api/school/school.contract';
import { useId } from 'react';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import styles from './ImportPage.module.css';
import type { Corrections, SetToMake } from './sets-to-make.ts';

type SetsToMakeProps = {
  readonly sets: readonly SetToMake[];
  readonly schemes: Structure['schemes'];
  readonly onCorrect: (name: string, change: Corrections[string]) => void;
};

/** The year group and the scheme of work of each set that is to be made. */
export const SetsToMake = ({ sets, schemes, onCorrect }: SetsToMakeProps) => {
  const id = useId();
  return (
    <Table label="Sets to make" isList cardsBelow={600} region={styles.matching}>
      <Heads names={['New set', 'Year group', 'Scheme of work']} />
      <tbody>
        {sets.map(({ name, year, schemeId }, row) => {
          const wrong = wrongYear(typedNumber(year));
          const wrongId = `${id}-${row}`;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label="Year group">
                <input
                  className={styles.number}
                  aria-label={`Year group of ${name}`}
                  aria-invalid={wrong !== undefined}
                  aria-describedby={wrong === undefined ? undefined : wrongId}
                  inputMode="numeric"
                  size={4}
                  value={year}
                  onChange={({ target }) => onCorrect(name, { year: target.value })}
                />
                {wrong !== undefined && (
                  <small id={wrongId} className="failed">
                    {wrong}
                  </small>
                )}
              </td>
              <td data-label="Scheme of work">
                <select
                  className={styles.select}
                  aria-label={`Scheme of work of ${name}`}
                  value={schemeId}
                  onChange={({ target }) => onCorrect(name, { schemeId: target.value })}
                >
                  {schemes.map((scheme) => (
                    <option key={scheme.schemeId} value={scheme.schemeId}>
                      {scheme.name}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
};
