import type { CsvRefusal, FileProblem } from '#api/contract/csv/file';
import { fileMessages } from '#api/contract/csv/file';
import { useEffect, useState } from 'react';
import { reportError } from '../api/errors.ts';
import { isRefused, isUnexpected, sentence } from '../api/failure.ts';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { Scrollable } from '../table/Scrollable.tsx';
import styles from './UploadFailure.module.css';

/** Why an upload stopped: the file cannot be used, or the server refused it. */
export type Failed = { readonly of: 'file'; readonly refused: CsvRefusal } | { readonly of: 'server'; readonly error: unknown };

type UploadFailureProps = {
  readonly failed: Failed | undefined;
  /** What the first line of the file should have been; shown when the file does not match the template. */
  readonly expected?: string;
};

/** The message, the detail, and every cell or student that caused it. */
export const UploadFailure = ({ failed, expected }: UploadFailureProps) => {
  const unexpected = failed?.of === 'server' && isUnexpected(failed.error) ? failed.error : undefined;
  useEffect(() => {
    if (unexpected !== undefined) reportError(unexpected);
  }, [unexpected]);
  const unread = failed?.of === 'file' ? failed.refused.message : undefined;
  useEffect(() => {
    // Only which problem it is: cells may hold names.
    // oxlint-disable-next-line no-console -- for whoever is asked why a file is not taken
    if (unread !== undefined) console.error('Parsing errors', unread);
  }, [unread]);
  if (!failed) return null;
  if (failed.of === 'file') {
    const { message, detail, problems } = failed.refused;
    return (
      <Notice tone="bad" title={message}>
        {problems.length <= FEW && detail && <p>{detail}</p>}
        {message === fileMessages.wrongTemplate && !detail && expected && <p>{expected}</p>}
        {problems.length > FEW && <Blamed items={problems} say={inWords} />}
      </Notice>
    );
  }
  const { error } = failed;
  if (!isRefused(error)) return <Notice tone="bad" title={sentence(error)} />;
  return (
    <Notice tone="bad" title={error.message}>
      {error.problem.detail && <p>{error.problem.detail}</p>}
      <Blamed items={error.errors.filter(({ message }) => message !== error.message)} say={({ message }) => message} />
    </Notice>
  );
};

/** The detail in the refusal already names the first five. */
const FEW = 5;

const inWords = ({ line, column, value }: FileProblem): string => `Line ${line}, ${column}: “${value}”`;

type BlamedProps<Item> = { readonly items: readonly Item[]; readonly say: (item: Item) => string };

/** Shows them in portions: a file of another kind may have a hundred thousand, and showing all at once freezes the page. */
const Blamed = <Item,>({ items, say }: BlamedProps<Item>) => {
  const [shown, setShown] = useState(AT_ONCE);
  const left = items.length - shown;
  return (
    items.length > 0 && (
      <>
        {items.length > FEW && <p>{inFigures(items.length)} in all:</p>}
        <Scrollable className={styles.blamed} label="Problems">
          <ul>
            {items.slice(0, shown).map((item, index) => (
              <li key={index}>{say(item)}</li>
            ))}
          </ul>
          {left > 0 && (
            <Button look="plain" onClick={() => setShown(shown + AT_ONCE)}>
              Show {inFigures(Math.min(left, AT_ONCE))} more
            </Button>
          )}
        </Scrollable>
      </>
    )
  );
};

const AT_ONCE = 500;
const inFigures = (count: number): string => count.toLocaleString('en-GB');
