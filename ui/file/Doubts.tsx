import type { UploadDoubts } from '#api/marks/upload/uploads.contract';
import type { IdDamage } from '#api/students/plausible.contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { Heads, Table } from '../table/Table.tsx';

type DoubtsProps = {
  /** of a preview; absent: nothing looks wrong */
  readonly doubts: UploadDoubts | undefined;
  /** What is stored for the students of the file; students: they are stored themselves. */
  readonly of: 'total' | 'mark' | 'score' | 'student';
};

/** How many kinds of doubt there are about a file. */
export const kindsOf = (doubts: UploadDoubts | undefined): number => Object.keys(doubts ?? {}).length;

/** What looks wrong about a file, one notice for each kind. The file can be stored all the same. */
export const Doubts = ({ doubts, of }: DoubtsProps) => {
  const { names, ids, sums, garbled } = doubts ?? {};
  const isStored = of === 'student';
  return (
    <>
      {names && (
        <Kind
          title={names.count === 1 ? '1 name differs from ours' : `${figure(names.count)} names differ from ours`}
          heads={['StudentID', 'In the file', 'Ours']}
          rows={names.first.map(({ admissionNo, inFile, ours }) => [admissionNo, inFile, ours])}
          count={names.count}
        >
          {isStored
            ? 'Was a column sorted without the others? Below you are asked which of the names to keep.'
            : `The StudentID decides who gets a ${of}. Was a column sorted without the others? Then these ${of}s are of other students.`}
        </Kind>
      )}
      {ids && (
        <Kind
          title={
            ids.count === 1
              ? '1 StudentID looks damaged, and is nobody’s'
              : `${figure(ids.count)} StudentIDs look damaged, and are nobody’s`
          }
          heads={['In the file', 'Name', 'What happened', 'Meant']}
          rows={ids.first.map(({ inFile, name, damage, means }) => [
            inFile,
            name,
            damages[damage],
            means ? `${means.admissionNo}, ${means.name}` : 'no one student fits',
          ])}
          count={ids.count}
        >
          {isStored ? 'They would be added as new students.' : 'They are not uploaded.'} In a spreadsheet make StudentID a column of text,
          and type the IDs again.
        </Kind>
      )}
      {sums && (
        <Kind
          title={
            sums.count === 1
              ? '1 total is not the sum of its question marks'
              : `${figure(sums.count)} totals are not the sum of their question marks`
          }
          heads={['Name', of === 'total' ? 'Total in the file' : 'Total stored', 'Sum of marks', 'Assessment', 'StudentID']}
          rows={sums.first.map(({ admissionNo, name, test, total, sum }) => [name, figure(total), figure(sum), test, admissionNo])}
          count={sums.count}
        >
          Both are kept. In the markbook the total counts.
        </Kind>
      )}
      {garbled && (
        <Kind
          title={garbled.count === 1 ? '1 name is garbled' : `${figure(garbled.count)} names are garbled`}
          heads={['StudentID', 'In the file']}
          rows={garbled.first.map(({ admissionNo, inFile }) => [admissionNo, inFile])}
          count={garbled.count}
        >
          The file was saved with a wrong encoding: save it as “CSV UTF-8”.{' '}
          {isStored ? 'Names are stored as they stand here.' : `The ${of}s are right all the same.`}
        </Kind>
      )}
    </>
  );
};

type KindProps = {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Of all cases; `rows` are the first. */
  readonly count: number;
  /** What it means, and what to do. */
  readonly children: ReactNode;
};

/** So many are shown at first. */
const SHOWN = 5;

const Kind = ({ title, heads, rows: all, count, children }: KindProps) => {
  const [isAll, setAll] = useState(false);
  const rows = isAll ? all : all.slice(0, SHOWN);
  return (
    <Notice tone="warn" title={title}>
      <p>{children}</p>
      <Table label={title} cardsBelow={600}>
        <Heads names={heads} />
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column} data-label={heads[column]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </Table>
      {all.length > rows.length ? (
        <Button look="plain" onClick={() => setAll(true)}>
          and {figure(count - rows.length)} more
        </Button>
      ) : (
        count > rows.length && <p>and {figure(count - rows.length)} more</p>
      )}
    </Notice>
  );
};

/** What a spreadsheet has done to a StudentID. */
export const damages: Readonly<Record<IdDamage, string>> = {
  exponent: 'shortened by a spreadsheet',
  zeros: 'zeros lost at its start',
  decimal: 'written as a decimal number',
  date: 'turned into a date',
  letter: 'a letter O where a 0 was, or a 0 for an O',
  quotes: 'quotation marks around it',
  invisible: 'an invisible character',
};

const figure = (count: number): string => count.toLocaleString('en-GB');
