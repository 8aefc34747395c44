import { useListContext } from 'react-admin';
import { Changes, Fields } from '../../../ui/frame/ReadOnly.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import type { useDrafts } from '../../drafts/useDrafts.ts';
import { ChoiceOfAll } from '../../list/filters/Choice.tsx';
import styles from './Classes.module.css';
import type { Choice, TeachingSet } from './set.ts';
import { colours } from './set.ts';
import { SetRow } from './SetRow.tsx';

type SetsTableProps = {
  readonly drafts: ReturnType<typeof useDrafts<TeachingSet>>;
  readonly schemes: readonly Choice[];
  readonly tests: readonly Choice[];
  readonly years: readonly { readonly id: string; readonly year: number }[];
  /** Of a set, as text. */
  readonly teachersOf: (setId: string) => string;
  readonly wrongName: (set: TeachingSet) => string | undefined;
  readonly onDelete: (set: TeachingSet) => void;
};

export const SetsTable = ({ drafts, schemes, tests, years, teachersOf, wrongName, onDelete }: SetsTableProps) => {
  const { selectedIds, onToggleItem } = useListContext<TeachingSet>();
  return (
    <Fields>
      <Table label="Sets" isList cardsBelow={1100} className={styles.table}>
        <thead>
          <tr>
            <Changes>
              <th scope="col" className={styles.tick}>
                <ChoiceOfAll />
              </th>
            </Changes>
            <th scope="col" className={styles.name}>
              Group name
            </th>
            <th scope="col" className={`figure ${styles.number}`}>
              Students
            </th>
            <th scope="col" className={styles.scheme}>
              Scheme of work
            </th>
            <th scope="col">Mapped assessments</th>
            <th scope="col" className={styles.teachers}>
              Teachers
            </th>
            {colours.map(({ key, label }) => (
              <th key={key} scope="col" className={`figure ${styles.level}`}>
                {label}
              </th>
            ))}
            <th scope="col" className={styles.acts}>
              <span className="sr">History, and Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {drafts.rows.map((stored) => {
            const set = drafts.shown(stored);
            const name = wrongName(set);
            return (
              <SetRow
                key={stored.id}
                stored={stored}
                set={set}
                isChanged={drafts.isChanged(stored.id)}
                isChosen={selectedIds.includes(stored.id)}
                schemes={schemes}
                tests={tests}
                teachers={teachersOf(stored.id)}
                toYear={set.yearGroupId === stored.yearGroupId ? undefined : years.find(({ id }) => id === set.yearGroupId)?.year}
                errors={{ ...drafts.errorsOf(stored.id), ...(name === undefined ? {} : { name }) }}
                onChoose={onToggleItem}
                onChange={drafts.change}
                onReload={drafts.discard}
                onDelete={onDelete}
              />
            );
          })}
        </tbody>
      </Table>
    </Fields>
  );
};
