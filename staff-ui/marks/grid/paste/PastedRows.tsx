import { useState } from 'react';
import { Chips } from '../../../../ui/controls/Chips.tsx';
import type { Role } from '../../../../ui/file/layout/target.ts';
import { valueIn } from '../../../../ui/file/layout/target.ts';
import { lastPage, Pager } from '../../../../ui/table/Pager.tsx';
import { Table } from '../../../../ui/table/Table.tsx';
import type { Copied, PasteTarget } from './copied.ts';
import { withColumn, withLeftOut, withStudent } from './copied.ts';
import styles from './PastedRows.module.css';
import type { Line, Plan } from './plan.ts';
import type { Cells } from '../table.ts';
import type { Pupil } from '../view.ts';

type PastedRowsProps = {
  readonly copied: Copied;
  readonly plan: Plan;
  readonly target: PasteTarget;
  readonly wrongAt: Cells['wrongAt'];
  readonly change: (copied: Copied) => void;
};

const SIZE = 50;
/** Up to this many rows are shown at once, the certain ones too. */
const FEW = 12;

/** A copied block as it is understood: above each column what it is, and in front of each row whose it is. */
export const PastedRows = ({ copied, plan, target, wrongAt, change }: PastedRowsProps) => {
  const { rows, layout } = copied;
  const lines = new Map(plan.lines.map((line) => [line.at, line]));
  const doubtful = plan.lines.filter(({ isSure }) => !isSure);
  const unknown = doubtful.filter(({ match, student, isLeftOut }) => isLeftOut || (match.kind === 'nobody' && !student));
  const [kept, setKept] = useState(doubtful.length > 0 && plan.lines.length > FEW ? 'doubtful' : 'all');
  const [chosenPage, setPage] = useState(0);
  const shown = rows.flatMap((_, at) => {
    if (layout.kinds[at] === 'blank' || at === layout.header) return [];
    return kept === 'all' || lines.get(at)?.isSure === false ? [at] : [];
  });
  const page = Math.min(chosenPage, lastPage(shown.length, SIZE));
  return (
    <>
      <div className="row rigid gap-4">
        {doubtful.length > 0 && (
          <Chips
            label="Show"
            chosen={kept}
            items={[
              { id: 'all', name: 'All rows', note: String(plan.lines.length) },
              { id: 'doubtful', name: 'To check', note: String(doubtful.length) },
            ]}
            onChoose={setKept}
          />
        )}
        {unknown.length > 1 && (
          <label className="tick">
            <input
              type="checkbox"
              checked={unknown.every(({ isLeftOut }) => isLeftOut)}
              onChange={({ target: { checked } }) =>
                change(
                  withLeftOut(
                    copied,
                    unknown.map(({ at }) => at),
                    checked,
                  ),
                )
              }
            />
            Leave out the {unknown.length} rows that are not found
          </label>
        )}
        {shown.length > SIZE && <Pager of="rows" page={page} size={SIZE} count={shown.length} onPage={setPage} />}
      </div>
      <Table label="What was pasted" region={styles.scroll} className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Student</th>
            {layout.roles.map((role, column) => (
              <th key={column} scope="col">
                <Column
                  heading={layout.header === undefined ? '' : (rows[layout.header]?.[column] ?? '')}
                  number={column + 1}
                  role={role}
                  target={target}
                  change={(next) => change(withColumn(copied, column, next, target))}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(page * SIZE, (page + 1) * SIZE).map((at) => {
            const line = lines.get(at);
            return (
              <tr key={at} {...stateOf(line)}>
                <th scope="row">
                  {line ? (
                    <Whose line={line} students={target.students} copied={copied} change={change} />
                  ) : (
                    KINDS[layout.kinds[at] ?? 'row']
                  )}
                </th>
                {layout.roles.map((role, column) => (
                  <td
                    key={column}
                    data-value={valueIn(role) !== undefined || undefined}
                    data-wrong={isWrong(line, role, wrongAt) || undefined}
                  >
                    {rows[at]?.[column]}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </Table>
    </>
  );
};

/** What is none of anybody's marks. */
const KINDS = { title: 'Title', heading: 'Headings', maximum: 'Out of', summary: 'Total or mean', blank: '', row: 'No marks' } as const;

const stateOf = (line: Line | undefined) => {
  if (!line) return { 'data-out': true };
  if (line.isLeftOut) return { 'data-left-out': true };
  if (!line.student) return { 'data-missing': true };
  return { 'data-likely': !line.isSure || undefined };
};

/** Whether a cell is refused. */
const isWrong = (line: Line | undefined, role: Role, wrongAt: Cells['wrongAt']): boolean => {
  const cell = line?.cells.find(({ column }) => column === valueIn(role));
  return cell !== undefined && cell.word === undefined && wrongAt({ row: 0, column: cell.column }, cell.text) !== undefined;
};

type ColumnProps = {
  readonly heading: string;
  readonly number: number;
  readonly role: Role;
  readonly target: PasteTarget;
  readonly change: (role: Role) => void;
};

const Column = ({ heading, number, role, target: { columns }, change }: ColumnProps) => {
  const values = columns.map(({ name, max }, index) => [`v${index}` as const, `${name} (${max})`] as const);
  const roles: readonly (readonly [Role, string])[] = [['', 'Leave out'], ...WHO, ...values];
  return (
    <label className={styles.column}>
      <small className="tiny muted">{heading || `Column ${number}`}</small>
      <select
        className={role === '' ? 'field muted' : 'field'}
        value={role}
        onChange={({ target: { value } }) => change(roles.find(([one]) => one === value)?.[0] ?? '')}
      >
        {roles.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
};

const WHO = [
  ['name', 'Name'],
  ['id', 'StudentID'],
  ['surname', 'Surname'],
  ['first', 'First name'],
] as const;

type WhoseProps = {
  readonly line: Line;
  readonly students: readonly Pupil[];
  readonly copied: Copied;
  readonly change: (copied: Copied) => void;
};

const Whose = ({ line: { at, label, match, student, isLeftOut, isSure }, students, copied, change }: WhoseProps) => {
  const fitting = match.kind === 'several' ? match.students : match.kind === 'likely' ? [match.student] : [];
  const others = students.filter((one) => !fitting.includes(one));
  const isTwice = ({ name }: Pupil): boolean => students.filter((one) => one.name === name).length > 1;
  const options = (some: readonly Pupil[]) =>
    some.map((one) => (
      <option key={one.studentId} value={one.studentId}>
        {isTwice(one) ? `${one.name} (${one.admissionNo})` : (one.name ?? 'Forgotten student')}
      </option>
    ));
  return (
    <div className={styles.who}>
      {!isSure && <small className="tiny muted">{label}</small>}
      <select
        className="field"
        aria-label={`Student of ${label}`}
        value={student?.studentId ?? ''}
        disabled={isLeftOut}
        onChange={({ target: { value } }) => change(withStudent(copied, at, value))}
      >
        <option value="">{fitting.length > 1 ? 'Choose who is meant' : 'Nobody in this class'}</option>
        {fitting.length > 0 ? (
          <>
            <optgroup label="May be">{options(fitting)}</optgroup>
            <optgroup label="Others">{options(others)}</optgroup>
          </>
        ) : (
          options(students)
        )}
      </select>
      <label className="tick">
        <input
          type="checkbox"
          aria-label={`Leave out ${label}`}
          checked={isLeftOut}
          onChange={({ target: { checked } }) => change(withLeftOut(copied, [at], checked))}
        />
        Leave out
      </label>
    </div>
  );
};
