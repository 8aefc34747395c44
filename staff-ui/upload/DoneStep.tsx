import type { Uploaded } from '#contract/marks';
import { Link } from 'wouter';
import { sentence } from '../../ui/api/failure.ts';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useArea } from '../shell/area.ts';
import { count, counted } from '../format.ts';
import { useUndo } from './undo.ts';
import { UnmatchedNotice } from './UnmatchedNotice.tsx';
import styles from './Upload.module.css';
import { storedText } from './useCheck.ts';

type DoneStepProps = {
  readonly uploaded: Uploaded;
  /** Number of cells that also hold somebody else's value. */
  readonly contested: number;
  readonly fileName: string;
  readonly noun: 'total' | 'mark';
  readonly unmatched: string;
  /** ?year=11 */
  readonly query: string;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

/** After the upload: Undo, the markbook, or another file. */
export const DoneStep = ({ uploaded, contested, fileName, noun, unmatched, query, onAgain, onClose }: DoneStepProps) => {
  const { turn, busy, undone, error } = useUndo({ quiet: true });
  const area = useArea();
  return (
    <div className={styles.step}>
      <Notice
        tone="good"
        title={undone ? `${fileName} was undone.` : doneText(uploaded, noun)}
        actions={
          uploaded.stored > 0 && (
            <Button disabled={busy !== undefined} onClick={() => turn({ ...uploaded, name: fileName }, undone ? 'redone' : 'undone')}>
              {undone ? 'Redo' : 'Undo'}
            </Button>
          )
        }
      >
        {undone && <p>What stood there before counts again.</p>}
        {!undone && uploaded.stored > 0 && uploaded.unchanged > 0 && (
          <p>
            {count(uploaded.unchanged)} {uploaded.unchanged === 1 ? 'was' : 'were'} there already.
          </p>
        )}
        {!undone && noun === 'mark' && <p>In the markbook their sum stands wherever no total was entered.</p>}
      </Notice>
      {error && <Notice tone="bad" title={sentence(error)} />}
      {!undone && contested > 0 && (
        <Notice tone="warn" title={`${counted(contested, 'cell')} of the file ${contested === 1 ? 'holds' : 'hold'} several values.`}>
          <p>Somebody else has entered another {noun} there, and both are kept. In the markbook each asks which one counts.</p>
        </Notice>
      )}
      <UnmatchedNotice message={unmatched} students={uploaded.unmatched} others={uploaded.stored + uploaded.unchanged} />
      <div className={styles.next}>
        <Link className={buttonClass('primary')} to={`${area}/markbook${query}`} onClick={onClose}>
          Open the markbook
        </Link>
        <Button onClick={onAgain}>Upload another file</Button>
      </div>
    </div>
  );
};

const doneText = (uploaded: Uploaded, noun: 'total' | 'mark'): string =>
  `${uploaded.stored > 0 ? 'Upload Successful! ' : ''}${storedText(uploaded, noun)}`;
