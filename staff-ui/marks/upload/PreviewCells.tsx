import type { PreviewCell } from '#api/marks/upload/uploads.contract';
import { valueText } from '../markbook/cell/History.tsx';
import styles from './PreviewTable.module.css';
import type { PreviewStudent } from './preview-model.ts';
import { cellKey } from './preview-model.ts';

type PreviewCellsProps = {
  readonly student: PreviewStudent;
  readonly columns: number;
  readonly ticked: string;
  readonly tick: (cell: string) => void;
};

/**
 * A student's cells: replaced ones with old and new value, new ones plain, equal ones grey, contested ones with all values and a tick
 * box.
 */
export const PreviewCells = ({ student, columns, ticked, tick }: PreviewCellsProps) =>
  Array.from({ length: columns }, (_, column) => {
    const cell = student.cells.find((one) => one.column === column);
    const key = cellKey(student.admissionNo, column);
    return (
      <td key={column} className={styles.mark} data-change={cell?.change}>
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
        <s>{now.map(valueText).join(', ')}</s> → <b>{is}</b>
      </span>
    </>
  );
};

type ContestedProps = { readonly cell: PreviewCell; readonly label: string; readonly checked: boolean; readonly onChange: () => void };

const Contested = ({ cell: { is, now }, label, checked, onChange }: ContestedProps) => (
  <label className={styles.contested}>
    <span>
      {now.map(valueText).join(' or ')}; file: <b>{is}</b>
    </span>
    <span className={styles.use}>
      <input type="checkbox" checked={checked} onChange={onChange} aria-label={label} /> use this
    </span>
  </label>
);
