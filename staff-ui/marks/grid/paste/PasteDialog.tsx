import { AWAY_WORDS } from '#api/contract/attendance';
import { useMemo, useState, useEffect } from 'react';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../../../ui/controls/Dialog.tsx';
import { Select } from '../../../../ui/controls/Field.tsx';
import { counted, some } from '../../../format.ts';
import type { Copied, Meaning } from './copied.ts';
import { pasteTargetOf, withWords } from './copied.ts';
import styles from './PasteDialog.module.css';
import { PastedRows } from './PastedRows.tsx';
import type { Line, Plan, Word } from './plan.ts';
import { planOf } from './plan.ts';
import { remarksOn } from '../report.ts';
import type { Cells } from '../table.ts';
import type { Grid } from '../useGrid.ts';
import { useApi } from '../../../../ui/api/ApiProvider.tsx';

type PasteDialogProps = {
  readonly grid: Pick<Grid, 'copied' | 'store' | 'decline'>;
  readonly table: Cells;
  readonly subjectId: string;
};

/** What was pasted and is not certain: how it is understood, to be corrected, and stored once its author says so. */
export const PasteDialog = ({ grid, ...rest }: PasteDialogProps) => (
  <Dialog title="Check what was pasted" open={grid.copied !== undefined} onClose={grid.decline} size="wide" persistent>
    {grid.copied && <Check copied={grid.copied} store={grid.store} decline={grid.decline} {...rest} />}
  </Dialog>
);

type CheckProps = Omit<PasteDialogProps, 'grid'> & Pick<Grid, 'store' | 'decline'> & { readonly copied: Copied };

const Check = ({ copied: before, store, decline, table, subjectId }: CheckProps) => {
  const [copied, setCopied] = useState(before);
  const { students, columns } = table;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- of the class and the paper alone: finding people is made ready once for many rows
  const target = useMemo(() => pasteTargetOf(table), [students, columns]);
  const plan = planOf(copied, target);
  const elsewhere = useElsewhere(plan, subjectId);
  const { words, undecided, unsaid, edits, away } = plan;
  const wrong = edits.flatMap(({ place, text }) => table.wrongAt(place, text) ?? []);
  const count = edits.length - wrong.length;
  const remarks = remarksOn(edits, table);
  const sentences = [
    ...copied.assumed,
    ...plan.doubts,
    ...(wrong.length > 0 ? [`${counted(wrong.length, 'mark')} will be refused: ${[...new Set(wrong)].slice(0, 3).join('; ')}.`] : []),
    ...(remarks === '' ? [] : [`${counted(count, 'mark')}${remarks}.`]),
    ...undecided,
  ];
  const problem = undecided[0] ?? unsaid[0] ?? (count + away.length === 0 ? 'There is nothing to store.' : undefined);
  return (
    <>
      <div className={`pad ${styles.check}`}>
        <p className="large strong">{foundIn(plan)}</p>
        {elsewhere !== undefined && <p>{elsewhere}</p>}
        <ul className={`stack gap-1 rigid ${styles.doubts}`}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {words.length > 0 && (
          <div className={`row gap-4 ${styles.words}`}>
            {(words.length > MANY ? [allOf(words), ...words] : words).map(({ keys, label, meanings }) => (
              <Select
                key={label}
                label={label}
                value={meanings.find((one) => keys.every((key) => copied.words.get(key) === one)) ?? ''}
                onChange={({ target: { value } }) => {
                  const meaning = meanings.find((one) => one === value);
                  if (meaning) setCopied(withWords(copied, keys, meaning));
                }}
              >
                <option value="" disabled>
                  Choose what it means
                </option>
                {meanings.map((meaning) => (
                  <option key={meaning} value={meaning}>
                    {MEANINGS[meaning]}
                  </option>
                ))}
              </Select>
            ))}
            {!target.hasAttendance && <p>Enter absent and exempt students with the question marks.</p>}
          </div>
        )}
        <PastedRows copied={copied} plan={plan} target={target} wrongAt={table.wrongAt} change={setCopied} />
      </div>
      <DialogFoot>
        <p role="status" className={styles.problem}>
          {problem}
        </p>
        <Button onClick={decline}>Cancel</Button>
        <Button look="primary" disabled={problem !== undefined} onClick={() => store(plan)}>
          {storeWords(count, plan, target.hasAttendance)}
        </Button>
      </DialogFoot>
    </>
  );
};

/** Words beyond which all can be said at once. */
const MANY = 4;
const allOf = (words: readonly Word[]): Word => ({
  keys: words.flatMap(({ keys }) => keys),
  label: `All ${words.length} of these`,
  meanings: ['blank', '0'],
});

const MEANINGS: Readonly<Record<Meaning, string>> = {
  absent: AWAY_WORDS.absent.label,
  exempt: AWAY_WORDS.exempt.label,
  blank: 'Blank: no mark',
  '0': '0',
};

/** '28 of 30 rows found. Not found: Nobody, Nina (4 marks).' */
const foundIn = ({ lines, isNamed }: Plan): string => {
  const isFound = ({ match, student }: Line): boolean => (isNamed ? match.kind !== 'nobody' : student !== undefined);
  const missing = lines.filter((line) => !isFound(line)).map(({ label, cells }) => `${label} (${counted(cells.length, 'mark')})`);
  const found = lines.length - missing.length;
  const words = isNamed ? `${found} of ${counted(lines.length, 'row')} found.` : `${counted(lines.length, 'row')} without names.`;
  return missing.length === 0 ? words : `${words} ${isNamed ? 'Not found' : 'Below the table'}: ${some(missing, 5)}.`;
};

/** Totals wait until they are submitted. */
const storeWords = (count: number, { away }: Plan, isStored: boolean): string =>
  [
    `${isStored ? 'Store' : 'Enter'} ${counted(count, isStored ? 'mark' : 'total')}`,
    ...(away.length > 0 ? [`${counted(away.length, 'student')} away`] : []),
  ].join(', ');

type Found = { readonly row: number; readonly kind: string; readonly students: readonly { readonly setName: string }[] };

/** Of rows that are of nobody in a class: in which other classes of the subject their students are; undefined: that is not known. */
const useElsewhere = ({ lines }: Plan, subjectId: string): string | undefined => {
  const api = useApi();
  const [strangers] = useState(() => lines.filter(({ match }) => match.kind === 'nobody'));
  const [found, setFound] = useState<readonly Found[]>([]);
  useEffect(() => {
    if (strangers.length === 0) return;
    const leaving = new AbortController();
    const rows = strangers.map(({ named }) => ({ admissionNo: named.id, name: named.name }));
    // Without an answer, as without a network, nothing is said of it.
    api.ask('match-students', { subjectId, rows }, { signal: leaving.signal }).then(
      (answer) => setFound(answer.rows),
      () => undefined,
    );
    return () => leaving.abort();
  }, [api, strangers, subjectId]);
  return elsewhereInWords(strangers, found);
};

/** 'These 28 are in 11X2.' 'Nobody, Nina is in 11X2.' */
const elsewhereInWords = (lines: readonly Pick<Line, 'label'>[], found: readonly Found[]): string | undefined => {
  const sure = found.flatMap(({ row, kind, students: [student] }) =>
    kind !== 'several' && student ? [{ row, set: student.setName }] : [],
  );
  const sets = Map.groupBy(sure, ({ set }) => set);
  const sentences = [...sets].map(([set, rows]) => {
    const who = rows.length > 3 ? `These ${rows.length}` : some(rows.map(({ row }) => lines[row]?.label ?? ''));
    return `${who} ${rows.length === 1 ? 'is' : 'are'} in ${set}.`;
  });
  return sentences.length === 0 ? undefined : sentences.join(' ');
};
