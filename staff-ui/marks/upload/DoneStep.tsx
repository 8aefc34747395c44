import type { Uploaded } from '#api/marks/upload/uploads.contract';
import { Link } from 'wouter';
import { sentence } from '../../../ui/api/failure.ts';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useArea } from '../../shell/area.ts';
import { count, counted } from '../../format.ts';
import type { RefusedRow } from '../../../ui/file/brought/brought.ts';
import { LeftOut } from '../../../ui/file/brought/BroughtFile.tsx';
import { useUndo } from './undo.ts';
import { UnmatchedNotice } from '../../../ui/file/UnmatchedNotice.tsx';
import styles from './Upload.module.css';
import { isStored, storedText, turnedText } from './outcome-text.ts';

type DoneStepProps = {
  readonly uploaded: Uploaded;
  /** Number of cells that also hold somebody else's value. */
  readonly contested: number;
  readonly fileName: string;
  readonly noun: 'total' | 'mark';
  readonly unmatched: string;
  readonly leftOut: readonly RefusedRow[];
  readonly query: string;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

/** After the upload: Undo, the markbook, or another file. */
export const DoneStep = ({ uploaded, contested, fileName, noun, unmatched, leftOut, query, onAgain, onClose }: DoneStepProps) => {
  const { turn, busy, undone, turned, error } = useUndo({ quiet: true });
  const area = useArea();
  return (
    <div className={`pad ${styles.step}`}>
      <Notice
        tone="good"
        title={undone ? `${fileName} was undone.` : doneText(uploaded, noun)}
        actions={
          isStored(uploaded) && (
            <Button disabled={busy !== undefined} onClick={() => turn({ ...uploaded, name: fileName }, undone ? 'redone' : 'undone')}>
              {undone ? 'Redo' : 'Undo'}
            </Button>
          )
        }
      >
        {turned && <p>{turnedText(turned)}</p>}
        {!turned && uploaded.confirmed > 0 && <p>{confirmedText(uploaded.confirmed)}</p>}
        {!undone && noun === 'mark' && <p>In the markbook their sum stands wherever no total was entered.</p>}
      </Notice>
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
      {!undone && contested > 0 && (
        <Notice tone="warn" title={`${counted(contested, 'cell')} of the file ${contested === 1 ? 'holds' : 'hold'} several values.`}>
          <p>Somebody else has entered another {noun} there, and both are kept. In the markbook each asks which one counts.</p>
        </Notice>
      )}
      {uploaded.leftOut && <Notice title="This file was stored already. Its unknown students are not listed again." />}
      <UnmatchedNotice
        message={unmatched}
        students={uploaded.unmatched}
        others={uploaded.stored + uploaded.confirmed + uploaded.unchanged}
      />
      <LeftOut rows={leftOut} />
      <div className="row">
        <Link className={buttonClass('primary')} to={`${area}/markbook${query}`} onClick={onClose}>
          Open the markbook
        </Link>
        <Button onClick={onAgain}>Upload another file</Button>
      </div>
    </div>
  );
};

const confirmedText = (confirmed: number): string =>
  confirmed === 1
    ? 'The confirmed one was there already. It stays if whoever entered it first undoes that.'
    : `The ${count(confirmed)} confirmed were there already. They stay if whoever entered them first undoes that.`;

const doneText = (uploaded: Uploaded, noun: 'total' | 'mark'): string =>
  `${isStored(uploaded) ? 'Upload Successful! ' : ''}${storedText(uploaded, noun)}`;
