import type { Unmatched } from '#api/marks/upload/uploads.contract';
import { useId, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { Scrollable } from '../table/Scrollable.tsx';
import styles from './UploadFailure.module.css';

type UnmatchedNoticeProps = {
  readonly message: string;
  readonly students: readonly Unmatched[];
  /** Number of students in the file that were found. */
  readonly others: number;
};

/** Students of the file that were not found: not uploaded, and listed on request. */
export const UnmatchedNotice = ({ message, students, others }: UnmatchedNoticeProps) => {
  const [shown, setShown] = useState(false);
  const list = useId();
  if (students.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={message}
      actions={
        <Button aria-expanded={shown} aria-controls={list} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      }
    >
      <p>
        {others > 0
          ? 'They are not uploaded. Everybody else is.'
          : 'That is everybody in the file, so there is nothing to upload. Is it for another subject, or are its StudentIDs written differently?'}
      </p>
      <Scrollable id={list} hidden={!shown} className={styles.blamed} label="Students that cannot be found">
        <ul>
          {students.map(({ admissionNo, name, offRoll }) => (
            <li key={admissionNo}>
              {name} ({admissionNo}){offRoll && ', off roll'}
            </li>
          ))}
        </ul>
      </Scrollable>
    </Notice>
  );
};
