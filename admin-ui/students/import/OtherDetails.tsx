import { dateText } from '#api/contract/dates';
import type { ImportPreview } from '#api/students/students.contract';
import { Button } from '@mui/material';
import { Heads, Table } from '../../../ui/table/Table.tsx';
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
    <section className="stack gap-3" aria-label="Other names or dates of birth">
      <div className="row apart">
        <h2>{differing.length} known by another name or date of birth</h2>
        <div className="row">
          <Button size="small" variant="outlined" onClick={() => all('file')}>
            All as in the file
          </Button>
          <Button size="small" variant="outlined" onClick={() => all('stored')}>
            Keep all as stored
          </Button>
        </div>
      </div>
      <Table label="Students whose name or date of birth differs" isList cardsBelow={600} region={styles.matching}>
        <Heads names={['StudentID', 'As stored', 'In the file']} />
        <tbody>
          {differing.map(({ admissionNo, name, dateOfBirth, stored }) => (
            <tr key={admissionNo}>
              <th scope="row">{admissionNo}</th>
              {(['stored', 'file'] as const).map((which) => (
                <td key={which} className="breaks" data-label={which === 'stored' ? 'As stored' : 'In the file'}>
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
      </Table>
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
  <label className={`line ${styles.option}`}>
    <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
    <span>
      {person.name}
      <br />
      <small className="muted">{dateText(person.dateOfBirth) || 'no date of birth'}</small>
    </span>
  </label>
);
