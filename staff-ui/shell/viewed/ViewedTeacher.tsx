import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { mayLeave } from '../../../ui/session/unsaved.ts';
import { TeacherList } from './TeacherList.tsx';
import { useViewing } from './TeacherProvider.tsx';
import styles from './Viewed.module.css';

/** Says whose classes are shown; the button with the name changes it. */
export const ViewedTeacher = () => {
  const viewing = useViewing();
  const [isOpen, setOpen] = useState(false);
  if (!viewing?.chosen) return null;
  const { all, chosen, choose } = viewing;
  return (
    <div className={styles.viewed} role="region" aria-label="Viewed teacher">
      <p>You are viewing as a teacher, with your own rights:</p>
      <Button aria-label={`${chosen.name}: select another teacher`} onClick={() => setOpen(true)}>
        {chosen.name}
      </Button>
      <Dialog title="Select teacher" open={isOpen} onClose={() => setOpen(false)}>
        <div className={styles.dialog}>
          <TeacherList
            teachers={all ?? []}
            current={chosen.teacherId}
            choose={(teacher) => {
              if (!mayLeave()) return;
              choose(teacher);
              setOpen(false);
            }}
          />
        </div>
      </Dialog>
    </div>
  );
};
