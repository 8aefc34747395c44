import { AWAYS } from '#api/contract/attendance';
import type { Encoding } from '#api/contract/csv/text';
import { encodings } from '#api/contract/csv/text';
import { Select } from '../../controls/Field.tsx';
import { Notice } from '../../feedback/Notice.tsx';
import { Scrollable } from '../../table/Scrollable.tsx';
import type { Meaning, Word } from './answers.ts';
import { wordKey } from './answers.ts';
import styles from './BroughtFile.module.css';
import type { RefusedRow } from './brought.ts';
import { ColumnPickers } from './ColumnPickers.tsx';
import { UploadFailure } from '../UploadFailure.tsx';
import { useInSight } from './useInSight.ts';
import type { BroughtView } from './useBrought.ts';

type BroughtFileProps = {
  readonly view: BroughtView;
  /** What the first line of the file should have been. */
  readonly expected: string;
};

/** What has to be known, or answered, about a file before it is uploaded: how it was read, which column is which, what words mean. */
export const BroughtFile = ({ view, expected }: BroughtFileProps) => {
  const { opened, brought, refusal } = view;
  const ref = useInSight<HTMLDivElement>(refusal ?? opened);
  if (!opened && !refusal) return null;
  return (
    <div ref={ref} className={`stack gap-3 ${styles.brought}`}>
      {opened?.sheets && <Sheets sheets={opened.sheets} sheet={opened.sheet} onChoose={view.chooseSheet} />}
      {opened?.encoding && <EncodingOf encoding={opened.encoding} onChoose={view.chooseEncoding} />}
      <UploadFailure failed={refusal && { of: 'file', refused: refusal }} expected={expected} />
      {brought?.layout && <ColumnPickers view={view} layout={brought.layout} />}
      {brought && brought.words.length > 0 && <Words words={brought.words} view={view} />}
      {brought && brought.rows.length > 0 && <RefusedRows view={view} />}
    </div>
  );
};

type SheetsProps = { readonly sheets: readonly string[]; readonly sheet: string | undefined; readonly onChoose: (sheet: string) => void };

const Sheets = ({ sheets, sheet, onChoose }: SheetsProps) => (
  <Select label="Sheet of the workbook" value={sheet ?? ''} onChange={({ target }) => onChoose(target.value)}>
    <option value="" disabled>
      Select the sheet to upload
    </option>
    {sheets.map((name) => (
      <option key={name}>{name}</option>
    ))}
  </Select>
);

type EncodingProps = {
  readonly encoding: { readonly is: Encoding; readonly samples: readonly string[] };
  readonly onChoose: (encoding: Encoding) => void;
};

const EncodingOf = ({ encoding: { is, samples }, onChoose }: EncodingProps) => (
  <Notice title={`This file does not say how its letters are written. It was read as ${encodings[is]}.`}>
    {samples.length > 0 && (
      <p>
        Are these right? <b>{samples.join(' · ')}</b>
      </p>
    )}
    <Select label="Read it as" value={is} onChange={({ target }) => onChoose(target.value as Encoding)}>
      {Object.entries(encodings).map(([encoding, name]) => (
        <option key={encoding} value={encoding}>
          {name}
        </option>
      ))}
    </Select>
  </Notice>
);

const MEANINGS: Readonly<Record<Meaning, string>> = {
  absent: 'Absent',
  exempt: 'Exempt',
  blank: 'Nothing: leave it blank',
  '0': '0 marks',
};

/** What words in place of marks mean, once a file. */
const Words = ({ words, view: { answers, answer } }: { readonly words: readonly Word[]; readonly view: BroughtView }) => (
  <fieldset className={`stack gap-3 ${styles.words}`}>
    <legend className="large strong">What do these mean where marks should be?</legend>
    {words.map((word) => {
      const key = wordKey(word);
      const meanings: readonly Meaning[] = word.alone ? [...AWAYS, 'blank', '0'] : ['blank', '0'];
      return (
        <Select
          key={key}
          label={`“${word.text}”, ${word.count === 1 ? 'once' : `${word.count.toLocaleString('en-GB')} times`}${word.alone ? '' : ', beside other marks'}`}
          value={answers.words[key] ?? ''}
          onChange={({ target }) => answer({ words: { ...answers.words, [key]: target.value as Meaning } })}
        >
          <option value="" disabled>
            Select what it means
          </option>
          {meanings.map((meaning) => (
            <option key={meaning} value={meaning}>
              {MEANINGS[meaning]}
            </option>
          ))}
        </Select>
      );
    })}
  </fieldset>
);

/** Rows that are refused: the file can be uploaded without them. */
const RefusedRows = ({ view: { brought, answers, answer } }: { readonly view: BroughtView }) => {
  const rows = brought?.rows ?? [];
  const title =
    rows.length === 1
      ? '1 row cannot be uploaded as it stands'
      : `${rows.length.toLocaleString('en-GB')} rows cannot be uploaded as they stand`;
  return (
    <Notice tone="warn" title={title}>
      <RowList label={title} rows={rows} most={SHOWN} />
      <label className="tick">
        <input type="checkbox" checked={answers.leavesOut} onChange={({ target }) => answer({ leavesOut: target.checked })} /> Upload the
        file without {rows.length === 1 ? 'this row' : 'these rows'}
      </label>
    </Notice>
  );
};

const SHOWN = 50;

/** Rows that the author of a file has left out, and why. */
export const LeftOut = ({ rows }: { readonly rows: readonly RefusedRow[] }) => {
  if (rows.length === 0) return null;
  const title =
    rows.length === 1
      ? '1 row of the file is left out, as you chose.'
      : `${rows.length.toLocaleString('en-GB')} rows of the file are left out, as you chose.`;
  return (
    <Notice title={title}>
      <RowList label={title} rows={rows} most={rows.length} />
    </Notice>
  );
};

type RowListProps = { readonly label: string; readonly rows: readonly RefusedRow[]; readonly most: number };

const RowList = ({ label, rows, most }: RowListProps) => (
  <Scrollable className={styles.list} label={label}>
    <ul>
      {rows.slice(0, most).map(({ line, who, why }) => (
        <li key={line}>
          Line {line}, {who}: {why}
        </li>
      ))}
      {rows.length > most && <li>and {(rows.length - most).toLocaleString('en-GB')} more</li>}
    </ul>
  </Scrollable>
);
