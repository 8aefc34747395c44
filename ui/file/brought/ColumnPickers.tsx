import { useState } from 'react';
import { Button } from '../../controls/Button.tsx';
import { Notice } from '../../feedback/Notice.tsx';
import { Table } from '../../table/Table.tsx';
import styles from './BroughtFile.module.css';
import type { Layout, Role, RowKind, Target } from '../layout/target.ts';
import { maximaIn } from '../layout/layout.ts';
import { forgetColumns, rememberedColumns } from './remembered-columns.ts';
import type { BroughtView } from './useBrought.ts';

/** Rows that are shown of a file. */
const SHOWN = 8;

type ColumnPickersProps = { readonly view: BroughtView; readonly layout: Layout };

/** Says which column of a file is which: the first rows, with a picker above each column. */
export const ColumnPickers = ({ view, layout }: ColumnPickersProps) => {
  const { rows, target, brought, answers } = view;
  if (!target) return null;
  if (answers.isMapped)
    return (
      <p className="row gap-4">
        <span>The file is read by the columns that you chose.</span>
        <Button look="plain" onClick={() => view.answer({ isMapped: false })}>
          Change the columns
        </Button>
      </p>
    );
  const lacks = brought?.lacks ?? [];
  const students = layout.kinds.filter((kind) => kind === 'row').length;
  const beside = besideOf(layout);
  return (
    <section className="stack gap-3" aria-label="Say which column is which">
      <h3 className="large">Say which column is which</h3>
      <Table label="The first rows of the file" region={styles.table} className={styles.rows}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            {layout.roles.map((role, column) => (
              <th key={column} scope="col">
                <select
                  className="field"
                  aria-label={`Column ${column + 1}${headingOf(view, layout, column)}`}
                  value={role}
                  data-used={role !== '' || undefined}
                  onChange={({ target: { value } }) => view.chooseRole(column, value as Role)}
                >
                  {rolesOf(target).map((one) => (
                    <option key={one} value={one}>
                      {roleName(one, target)}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, (layout.header ?? 0) + SHOWN).map(({ line, cells }, row) => (
            <tr key={line} data-kind={layout.kinds[row]}>
              <th scope="row">{line}</th>
              {layout.roles.map((role, column) => (
                <td key={column} data-used={role !== '' || undefined}>
                  {cells[column] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="muted">
        {students === 1 ? '1 row of a student' : `${students.toLocaleString('en-GB')} rows of students`}
        {beside.length > 0 && `; not taken: ${beside.join(', ')}`}.
      </p>
      <Maxima rows={rows.map(({ cells }) => cells)} layout={layout} target={target} />
      <div className="row gap-4">
        {lacks.length > 0 && <p>Also say which column is {lacks.join(', and which is ')}.</p>}
        <Button disabled={lacks.length > 0} onClick={view.confirmColumns}>
          Read the file like this
        </Button>
      </div>
      <Remembered of={view.of} />
    </section>
  );
};

const headingOf = ({ rows }: BroughtView, { header }: Layout, column: number): string => {
  const heading = header === undefined ? '' : (rows[header]?.cells[column] ?? '');
  return heading === '' ? '' : `, ${heading}`;
};

const rolesOf = ({ roles, values }: Target): readonly Role[] => ['', ...roles, ...values.map((_, at) => `v${at}` as const)];

const NAMES: Readonly<Record<Exclude<Role, `v${number}`>, string>> = {
  '': 'Leave out',
  id: 'StudentID',
  name: 'Name',
  'first-last': 'Name, first name first',
  surname: 'Surname',
  first: 'First name',
  set: 'Set',
  birth: 'Date of birth',
};
const roleName = (role: Role, { values }: Target): string =>
  role in NAMES ? NAMES[role as keyof typeof NAMES] : (values[Number(role.slice(1))]?.name ?? role);

const KINDS: Readonly<Record<Exclude<RowKind, 'row' | 'blank' | 'heading'>, string>> = {
  title: 'a title or a footer',
  maximum: 'a row of maxima',
  summary: 'a row of totals or averages',
};
const besideOf = ({ kinds }: Layout): readonly string[] =>
  Object.entries(KINDS).flatMap(([kind, name]) => {
    const count = kinds.filter((one) => one === kind).length;
    return count === 0 ? [] : [count === 1 ? name : `${name} (${count})`];
  });

type MaximaProps = { readonly rows: readonly (readonly string[])[]; readonly layout: Layout; readonly target: Target };

/** Where the file says another maximum than the paper. */
const Maxima = ({ rows, layout, target: { values } }: MaximaProps) => {
  const differing = [...maximaIn(rows, layout)].flatMap(([at, max]) => {
    const value = values[at];
    return value?.max === undefined || value.max === max ? [] : [`${value.name}: ${max} in the file, ${value.max} in the assessment`];
  });
  if (differing.length === 0) return null;
  return (
    <Notice tone="warn" title="The maximum marks in the file are not those of the assessment.">
      <p>{differing.join('; ')}. Is it the right assessment?</p>
    </Notice>
  );
};

/** What is read without asking again, on this device. */
const Remembered = ({ of }: { readonly of: string }) => {
  const [all, setAll] = useState(() => rememberedColumns(of));
  if (all.length === 0) return null;
  return (
    <details className="muted">
      <summary>Columns that are remembered on this device ({all.length})</summary>
      <ul>
        {all.map(({ headings }) => (
          <RememberedFile
            key={headings}
            headings={headings}
            onForget={() => {
              forgetColumns(of, headings);
              setAll(rememberedColumns(of));
            }}
          />
        ))}
      </ul>
    </details>
  );
};

type RememberedProps = { readonly headings: string; readonly onForget: () => void };

/** Files of other systems that are read without asking again. */
const RememberedFile = ({ headings, onForget }: RememberedProps) => (
  <li className="row gap-4">
    <span>{headings}</span>
    <Button look="plain" aria-label={`Forget the columns ${headings}`} onClick={onForget}>
      Forget
    </Button>
  </li>
);
