import type { StudentRow } from '#api/students/students-file.contract';
import { isAmong } from '#api/contract/names';
import { OFF_ROLL_NAME } from '#api/students/off-roll.contract';
import type { ImportPreview } from '#api/students/students.contract';
import type { Structure } from '#api/school/school.contract';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import { useStructure } from '../../data/useStructure.ts';
import { counted } from '../../format.ts';
import type { Make } from './import-input.ts';
import { decidedFor } from './import-input.ts';
import styles from './ImportPage.module.css';
import { MadeSets, MakeSets } from './MakeSets.tsx';

type SetMatchingProps = {
  readonly subjectId: string;
  readonly rows: readonly StudentRow[];
  readonly meant: ImportPreview['sets'];
  /** The unknown names of sets. */
  readonly missing: readonly string[];
  readonly matched: Readonly<Record<string, string>>;
  readonly make: readonly Make[];
  readonly onMake: (make: readonly Make[]) => void;
  readonly onMatch: (matched: Readonly<Record<string, string>>) => void;
};

/** Matches the sets of the file with the school's; missing ones can be made. */
export const SetMatching = ({ subjectId, rows, meant, missing, matched, make, onMake, onMatch }: SetMatchingProps) => {
  const structure = useStructure(subjectId);
  if (!structure.data) return null;
  const sets = setsOf(structure.data);
  const made = make.flatMap(({ names }) => names);
  const students = Map.groupBy(rows, ({ set }) => set);
  const inFile = meant.map(({ name, setId, isGone }) => ({
    name,
    students: students.get(name)?.length ?? 0,
    place: decidedFor(matched, name) ?? setId ?? '',
    none: isAmong(made, name) ? 'made with the import' : `${isGone ? 'deleted since' : 'not known'}: make it, or choose one`,
  }));
  // Unknown sets first, because they need a decision.
  const ordered = inFile.toSorted((one, other) => Number(one.place !== '') - Number(other.place !== ''));
  const match = (name: string, setId: string) => {
    const { [name]: _, ...others } = matched;
    onMatch(setId === '' ? others : { ...others, [name]: setId });
  };
  return (
    <section className="stack gap-3" aria-label="Sets">
      <h2>
        {counted(inFile.length, 'set')} in the file
        {missing.length > 0 && `, ${missing.length} of them not known`}
      </h2>
      {missing.length > 0 && <MakeSets structure={structure.data} names={missing} onMake={(made) => onMake([...make, ...made])} />}
      {make.length > 0 && <MadeSets make={make} yearGroups={structure.data.yearGroups} onChange={() => onMake([])} />}
      <Table label="Sets of the file" isList cardsBelow={600} region={styles.matching}>
        <Heads names={['Set in the file', 'Students', 'Goes into']} figures={['Students']} />
        <tbody>
          {ordered.map(({ name, students: count, place, none }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="figure" data-label="Students">
                {count}
              </td>
              <td data-label="Goes into">
                <select
                  className={styles.select}
                  aria-label={`Set for ${name}`}
                  value={place}
                  onChange={({ target }) => match(name, target.value)}
                >
                  <option value="">{none}</option>
                  {sets.map((set) => (
                    <option key={set.setId} value={set.setId}>
                      {set.name}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
};

/** The sets of the subject, and Off-Roll. */
const setsOf = ({ yearGroups }: Structure): readonly { readonly setId: string; readonly name: string }[] => [
  ...yearGroups.flatMap(({ sets }) => sets),
  { setId: 'off-roll', name: OFF_ROLL_NAME },
];
