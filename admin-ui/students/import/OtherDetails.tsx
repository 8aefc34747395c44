import { dateText } from '#api/contract/dates';
import type { ImportPreview } from '#api/students/students.contract';
import { Button } from '@mui/material';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import table from '../../list/Table.module.css';
import type { Details } from './import-input.ts';
import { decidedFor } from './import-input.ts';
import styles from './ImportPage.module.css';

type OtherDetailsProps = {
  readonly preview: ImportPreview;
  readonly details: Readonly<Record<string, Details>>;
  readonly onDecide: (details: Readonly<Record<string, Details>>) => void;
};

/** Students stored with another name or date of birth: shows both and asks which is right. */
export const OtherDetails = ({ preview, details, onDecide }: OtherDetailsProps) => {
  const differing = preview.rows.flatMap((row) => (row.stored ? [{ ...row, stored: row.stored }] : []));
  if (differing.length === 0) return null;
  const all = (which: Details) => onDecide(Object.fromEntries(differing.map(({ admissionNo }) => [admissionNo, which])));
  return (
    <section className={styles.part} aria-label="Other names or dates of birth">
      <div className={styles.head}>
        <h2>{differing.length} known by another name or date of birth</h2>
        <div className={styles.buttons}>
          <Button size="small" variant="outlined" onClick={() => all('file')}>
            All as in the file
          </Button>
          <Button size="small" variant="outlined" onClick={() => all('stored')}>
            Keep all as stored
          </Button>
        </div>
      </div>
      <Scrollable className={`${table.scroll} ${styles.matching}`} label="Students whose name or date of birth differs">
        <table className={`${table.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">StudentID</th>
              <th scope="col">As stored</th>
              <th scope="col">In the file</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ admissionNo, name, dateOfBirth, stored }) => (
              <tr key={admissionNo}>
                <td>{admissionNo}</td>
                {(['stored', 'file'] as const).map((which) => (
                  <td key={which}>
                    <Choice
                      name={`details ${admissionNo}`}
                      person={which === 'stored' ? stored : { name, dateOfBirth }}
                      isChosen={(decidedFor(details, admissionNo) ?? stored.counts) === which}
                      onChoose={() => onDecide({ ...details, [admissionNo]: which })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </section>
  );
};

type ChoiceProps = {
  readonly name: string;
  readonly person: { readonly name: string; readonly dateOfBirth: string | null };
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

const Choice = ({ name, person, isChosen, onChoose }: ChoiceProps) => (
  <label className={styles.option}>
    <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
    <span>
      {person.name}
      <small>{dateText(person.dateOfBirth) || 'no date of birth'}</small>
    </span>
  </label>
);
