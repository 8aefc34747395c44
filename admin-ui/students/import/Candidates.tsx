import { dateText } from '#api/contract/dates';
import type { Agreement, ImportPreview } from '#api/students/students.contract';
import { Button } from '@mui/material';
import { useState } from 'react';
import { lastPage, Pager } from '../../../ui/table/Pager.tsx';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import { counted, listed } from '../../format.ts';
import type { Identities, Identity, MaybeHere } from './import-input.ts';
import { allTheSame, decidedFor, identifiedAs, maybeHere } from './import-input.ts';
import styles from './ImportPage.module.css';

const PAGE = 50;

type CandidatesProps = {
  readonly preview: ImportPreview;
  readonly people: Identities;
  readonly onDecide: (people: Identities) => void;
};

/** Rows whose StudentID is nobody's, beside the students who they may be: asks for each whether it is the same person. */
export const Candidates = ({ preview, people, onDecide }: CandidatesProps) => {
  const [page, setPage] = useState(0);
  const rows = maybeHere(preview);
  if (rows.length === 0) return null;
  const shown = Math.min(page, lastPage(rows.length, PAGE));
  const same = rows.filter((row) => identityOf(row, people) !== 'new').length;
  return (
    <section className="stack gap-3" aria-label="Students who may be here already">
      <div className="row apart">
        <h2>{counted(rows.length, 'student')} may be here already</h2>
        <div className="row">
          <Button size="small" variant="outlined" onClick={() => onDecide(allTheSame(rows, 'stored'))}>
            All the same
          </Button>
          <Button size="small" variant="outlined" onClick={() => onDecide(allTheSame(rows, 'file'))}>
            All the same, with the file’s StudentIDs
          </Button>
          <Button
            size="small"
            variant="outlined"
            onClick={() => onDecide(Object.fromEntries(rows.map(({ admissionNo }) => [admissionNo, 'new'])))}
          >
            All new
          </Button>
        </div>
      </div>
      <p className="muted" aria-live="polite">
        Nobody has their StudentIDs. {same} taken as the same, {rows.length - same} as new.
      </p>
      {rows.length > PAGE && <Pager page={shown} size={PAGE} count={rows.length} onPage={setPage} of="students who may be here already" />}
      <Scrollable className={`box ${styles.matching}`} label="Both versions of students who may be here already">
        <div className={`muted small ${styles.pair}`} aria-hidden>
          <p>In the file</p>
          <p>Here already</p>
        </div>
        {rows.slice(shown * PAGE, (shown + 1) * PAGE).map((row) => (
          <Pair
            key={row.admissionNo}
            row={row}
            identity={identityOf(row, people)}
            onChoose={(who) => onDecide(identifiedAs(people, row.admissionNo, who))}
          />
        ))}
      </Scrollable>
    </section>
  );
};

const identityOf = ({ admissionNo, studentId, number }: MaybeHere, people: Identities): Identity =>
  decidedFor(people, admissionNo) ?? (studentId === null ? 'new' : { studentId, number });

type PairProps = { readonly row: MaybeHere; readonly identity: Identity; readonly onChoose: (who: Identity) => void };

const Pair = ({ row, identity, onChoose }: PairProps) => {
  const { admissionNo, name, candidates } = row;
  const group = `identity ${admissionNo}`;
  return (
    <fieldset className={styles.pair} aria-label={`${admissionNo}, ${name}`}>
      {candidates.length > 1 && (
        <p className={`muted ${styles.all}`}>{candidates.length} students fit: choose one, or add as somebody new.</p>
      )}
      <Choice group={group} person={row} what="somebody new" isChosen={identity === 'new'} onChoose={() => onChoose('new')} />
      <div>
        {candidates.map(({ studentId, agrees, ...person }) => {
          const isSame = (number: 'file' | 'stored') =>
            identity !== 'new' && identity.studentId === studentId && identity.number === number;
          return (
            <div key={studentId}>
              <Choice
                group={group}
                person={person}
                what={`the same person: same ${listed(agrees.map((one) => AGREEMENTS[one]))}`}
                isChosen={isSame('stored')}
                onChoose={() => onChoose({ studentId, number: 'stored' })}
              />
              <label className={`line top ${styles.option}`}>
                <input type="radio" name={group} checked={isSame('file')} onChange={() => onChoose({ studentId, number: 'file' })} />
                <span>
                  the same person, <strong>{admissionNo}</strong> in place of {person.admissionNo}
                </span>
              </label>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
};

const AGREEMENTS: Readonly<Record<Agreement, string>> = {
  name: 'name',
  'date-of-birth': 'date of birth',
  'student-id': 'StudentID written otherwise',
};

type ChoiceProps = {
  readonly group: string;
  readonly person: Pick<MaybeHere, 'admissionNo' | 'name' | 'dateOfBirth' | 'set'>;
  readonly what: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

const Choice = ({ group, person: { admissionNo, name, dateOfBirth, set }, what, isChosen, onChoose }: ChoiceProps) => (
  <label className={`line top ${styles.option}`}>
    <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
    <span>
      <strong>{admissionNo}</strong>
      <br />
      {name}
      <br />
      {dateText(dateOfBirth) || 'no date of birth'}, {set}
      <br />
      <small className="muted">{what}</small>
    </span>
  </label>
);
