import type { RankedStudent } from '#api/tasks/task-answers.contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import styles from '../Steps.module.css';
import type { CheckInput } from './check-input.ts';
import { checkInputText } from './check-input.ts';

type OvertakenProps = {
  /** null: nobody, or somebody who was forgotten */
  readonly by: string | null;
  readonly students: readonly (Pick<RankedStudent, 'studentId' | 'name'> & { readonly mine: CheckInput; readonly theirs: CheckInput })[];
  readonly onMine: () => void;
  readonly onTheirs: () => void;
};

/** Somebody else has said otherwise about students while one typed about them. */
export const Overtaken = ({ by, students, onMine, onTheirs }: OvertakenProps) => (
  <Notice
    tone="warn"
    title={`${by ?? 'Somebody else'} has checked this class while you typed, and says something else. Yours is not stored.`}
    actions={
      <>
        <Button onClick={onMine}>Keep mine</Button>
        <Button onClick={onTheirs}>Take theirs</Button>
      </>
    }
  >
    <ul className={styles.warnings}>
      {students.map(({ studentId, name, mine, theirs }) => (
        <li key={studentId}>
          {name ?? 'Forgotten student'}: you say {checkInputText(mine)}, they say {checkInputText(theirs)}
        </li>
      ))}
    </ul>
  </Notice>
);
