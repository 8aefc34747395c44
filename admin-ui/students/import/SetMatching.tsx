import type { StudentRow } from '#api/students/students-file.contract';
import { isAmong } from '#api/contract/names';
import { isOffRoll, OFF_ROLL_NAME } from '#api/students/off-roll.contract';
import type { Structure } from '#api/school/school.contract';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import { useStructure } from '../../data/useStructure.ts';
import { counted } from '../../format.ts';
import table from '../../list/Table.module.css';
import type { Make } from './import-input.ts';
import { decidedFor } from './import-input.ts';
import styles from './ImportPage.module.css';
import { MadeSets, MakeSets } from './MakeSets.tsx';

type SetMatchingProps = {
  readonly subjectId: string;
  readonly rows: readonly StudentRow[];
  /** The unknown names of sets. */
  readonly missing: readonly string[];
  readonly matched: Readonly<Record<string, string>>;
  readonly make: readonly Make[];
  readonly onMake: (make: readonly Make[]) => void;
  readonly onMatch: (matched: Readonly<Record<string, string>>) => void;
};

/** Matches the sets of the file with the school's; missing ones can be made. */
export const SetMatching = ({ subjectId, rows, missing, matched, make, onMake, onMatch }: SetMatchingProps) => {
  const structure = useStructure(subjectId);
  if (!structure.data) return null;
  const sets = setsOf(structure.data);
  const made = make.flatMap(({ names }) => names);
  const inFile = [...Map.groupBy(rows, ({ set }) => set)].map(([name, students]) => ({ name, students: students.length }));
  const places = inFile.map((one) => ({ ...one, place: placeOf(decidedFor(matched, one.name) ?? one.name, sets) }));
  // Unknown sets first, because they need a decision.
  const ordered = places.toSorted((one, other) => Number(one.place !== '') - Number(other.place !== ''));
  return (
    <section className={styles.part} aria-label="Sets">
      <h2>
        {counted(inFile.length, 'set')} in the file
        {missing.length > 0 && `, ${missing.length} of them not known`}
      </h2>
      {missing.length > 0 && <MakeSets structure={structure.data} names={missing} onMake={(made) => onMake([...make, ...made])} />}
      {make.length > 0 && <MadeSets make={make} yearGroups={structure.data.yearGroups} onChange={() => onMake([])} />}
      <Scrollable className={`${table.scroll} ${styles.matching}`} label="Sets of the file">
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Set in the file</th>
              <th scope="col" className={table.number}>
                Students
              </th>
              <th scope="col">Goes into</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(({ name, students, place }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className={table.number}>{students}</td>
                <td>
                  <select
                    aria-label={`Set for ${name}`}
                    value={place}
                    onChange={({ target }) => onMatch({ ...matched, [name]: target.value === '' ? name : target.value })}
                  >
                    <option value="">{isAmong(made, name) ? 'made with the import' : 'not known: make it, or choose one'}</option>
                    {sets.map((set) => (
                      <option key={set} value={set}>
                        {set}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </section>
  );
};

/** The sets of the subject, and Off-Roll. */
const setsOf = ({ yearGroups }: Structure): readonly string[] => [
  ...yearGroups.flatMap(({ sets }) => sets.map(({ name }) => name)),
  OFF_ROLL_NAME,
];

const placeOf = (wanted: string, sets: readonly string[]): string =>
  isOffRoll(wanted) ? OFF_ROLL_NAME : (sets.find((set) => set.trim().toLowerCase() === wanted.trim().toLowerCase()) ?? '');
