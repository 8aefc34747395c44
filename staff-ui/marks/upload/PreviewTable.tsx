import type { UploadPreview, PreviewCell } from '#api/marks/upload/uploads.contract';
import { memo, useState } from 'react';
import { Chips } from '../../../ui/controls/Chips.tsx';
import { Pager } from '../../../ui/table/Pager.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { count } from '../../format.ts';
import styles from './PreviewTable.module.css';
import type { Kept, PreviewStudent } from './preview-model.ts';
import { cellKey, changesFirst, filtersOf, studentsWith } from './preview-model.ts';
import { valueText } from '../markbook/cell/History.tsx';

/** A column of the file: 'Test 1', with 'Mock 1 (of 26)' below. */
export type Column = { readonly name: string; readonly about: string };

type PreviewTableProps = {
  readonly preview: UploadPreview;
  readonly columns: readonly Column[];
  readonly ticked: ReadonlySet<string>;
  readonly tick: (cell: string) => void;
};

const SIZE = 50;
/** Up to this many rows the table does not scroll. */
const FEW = 8;
/** Above this many, columns are narrow and their descriptions are cut short. */
const MANY = 6;

/** What the upload would change, by student. 50 per page, so that a year group scrolls as fast as a class. */
export const PreviewTable = ({ preview, columns, ticked, tick }: PreviewTableProps) => {
  const [kept, setKept] = useState<Kept>('all');
  const [page, setPage] = useState(0);
  const filters = filtersOf(preview);
  const students = changesFirst(studentsWith(preview, kept));
  return (
    <>
      <div className="row rigid apart">
        <Chips
          label="Show"
          chosen={kept}
          items={filters.map((filter) => ({ id: filter.kept, name: filter.name, note: count(filter.students) }))}
          onChoose={(id) => {
            setKept(filters.find((filter) => filter.kept === id)?.kept ?? 'all');
            setPage(0);
          }}
        />
        <Pager of="students" page={page} size={SIZE} count={students.length} onPage={setPage} />
      </div>
      <Table
        label="Upload data"
        cardsBelow={600}
        region={students.length < FEW ? `${styles.scroll} ${styles.short}` : styles.scroll}
        className={columns.length > MANY ? `${styles.table} ${styles.many}` : styles.table}
      >
        <thead>
          <tr>
            <th scope="col" className={styles.id}>
              ID
            </th>
            <th scope="col" className={styles.name}>
              Name
            </th>
            <th scope="col">Class</th>
            {columns.map(({ name, about }) => (
              <th key={name} scope="col" className={styles.mark}>
                {name}
                <small className="tiny muted" title={about}>
                  {about}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.slice(page * SIZE, (page + 1) * SIZE).map((student) => (
            <Row key={student.studentId} student={student} columns={columns} ticked={tickedOf(student, ticked)} tick={tick} />
          ))}
        </tbody>
      </Table>
      {students.length === 0 && <p className="muted">No student has a cell of this kind.</p>}
    </>
  );
};

/** As one string, so that a memoised row renders only when its own ticks change. */
const tickedOf = ({ admissionNo }: PreviewStudent, ticked: ReadonlySet<string>): string =>
  ticked.size === 0 ? '' : [...ticked].filter((cell) => cell.startsWith(`${admissionNo} `)).join('\n');

type RowProps = {
  readonly student: PreviewStudent;
  readonly columns: readonly Column[];
  readonly ticked: string;
  readonly tick: (cell: string) => void;
};

const Row = memo(({ student, columns, ticked, tick }: RowProps) => (
  <tr>
    <td className={styles.about} data-label="ID">
      {student.admissionNo}
    </td>
    <th scope="row" className={styles.name}>
      {student.name}
    </th>
    <td className={styles.about} data-label="Class">
      {student.setName}
    </td>
    <PreviewCells student={student} columns={columns} ticked={ticked} tick={tick} />
  </tr>
));

type PreviewCellsProps = {
  readonly student: PreviewStudent;
  readonly columns: readonly Column[];
  readonly ticked: string;
  readonly tick: (cell: string) => void;
};

/**
 * A student's cells: replaced ones with old and new value, new ones plain, equal ones grey, contested ones with all values and a tick
 * box.
 */
const PreviewCells = ({ student, columns, ticked, tick }: PreviewCellsProps) =>
  columns.map(({ name, about }, column) => {
    const cell = student.cells.find((one) => one.column === column);
    const key = cellKey(student.admissionNo, column);
    return (
      <td key={name} className={styles.mark} data-change={cell?.change} data-label={columns.length > MANY ? name : `${name}, ${about}`}>
        {cell &&
          (cell.change === 'contested' ? (
            <Contested
              cell={cell}
              label={`Use ${cell.is} for ${student.name}`}
              checked={ticked.split('\n').includes(key)}
              onChange={() => tick(key)}
            />
          ) : (
            <Plain cell={cell} />
          ))}
      </td>
    );
  });

const Plain = ({ cell: { change, is, now } }: { readonly cell: PreviewCell }) => {
  if (change !== 'replaced')
    return (
      <>
        {is}
        {change === 'equal' && <span className="sr"> is there already</span>}
      </>
    );
  return (
    <>
      <span className="sr">
        was {now.map(valueText).join(', ')}, becomes {is}
      </span>
      <span aria-hidden="true">
        <s className="struck">{now.map(valueText).join(', ')}</s> → <b>{is}</b>
      </span>
    </>
  );
};

type ContestedProps = { readonly cell: PreviewCell; readonly label: string; readonly checked: boolean; readonly onChange: () => void };

const Contested = ({ cell: { is, now }, label, checked, onChange }: ContestedProps) => (
  <label className="line end">
    <span>
      {now.map(valueText).join(' or ')}; file: <b>{is}</b>
    </span>
    <span className="tick small muted">
      <input type="checkbox" checked={checked} onChange={onChange} aria-label={label} /> use this
    </span>
  </label>
);
