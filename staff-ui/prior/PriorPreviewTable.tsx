import type { PriorChange, PriorPreview } from '#api/prior/prior.contract';
import { useState } from 'react';
import { lastPage, PAGE_ROWS, Pager } from '../../ui/table/Pager.tsx';
import { Table } from '../../ui/table/Table.tsx';
import styles from './Prior.module.css';

type Row = PriorPreview['students'][number];

/** What a file would change, what it replaces first. */
export const PriorPreviewTable = ({ students }: { readonly students: readonly Row[] }) => {
  const [asked, setPage] = useState(0);
  const sorted = students.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
  const page = Math.min(asked, lastPage(sorted.length, PAGE_ROWS));
  return (
    <>
      <Table label="What the file would change" isList region={styles.scroll}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">StudentID</th>
            <th scope="col">Class</th>
            <th scope="col">Grade</th>
            <th scope="col">Now</th>
            <th scope="col">Becomes</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(({ studentId, name, admissionNo, setName, score, now, change }) => (
            <tr key={studentId} data-change={change}>
              <th scope="row">{name}</th>
              <td>{admissionNo}</td>
              <td>{setName}</td>
              <td>{score}</td>
              <td>{now ? `${now.score} (${now.yearCompleted})` : '–'}</td>
              <td>{WORDS[change]}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager of="students" page={page} size={PAGE_ROWS} count={sorted.length} onPage={setPage} />
    </>
  );
};

const ORDER: readonly PriorChange[] = ['replaced', 'earlier', 'new', 'equal'];
const WORDS: Readonly<Record<PriorChange, string>> = {
  replaced: 'Replaced',
  earlier: 'Kept as history',
  new: 'New',
  equal: 'Confirmed',
};
