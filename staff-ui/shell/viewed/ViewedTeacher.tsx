import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { mayLeave } from '../../../ui/session/unsaved.ts';
import { TeacherList } from './TeacherList.tsx';
import { useViewing } from './TeacherProvider.tsx';
import styles from './Viewed.module.css';
import type { ReactNode } from 'react';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Page } from '../../../ui/frame/Page.tsx';

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

/** The pages of the teacher area, once it is known whose; before that, the teachers to choose from. */
export const OfTeacher = ({ children }: { readonly children: ReactNode }) => {
  const viewing = useViewing();
  if (!viewing || viewing.chosen) return children;
  const { all, error, retry, gone, choose } = viewing;
  return (
    <Page title="Select teacher" sub="You see the teacher’s classes with your own rights: what you enter is recorded as yours.">
      {gone !== undefined && <Notice tone="warn" title={`${gone} is not a teacher of this subject any more.`} />}
      {error !== null && error !== undefined && <Failure error={error} retry={retry} />}
      {!all && !error && <Skeleton rows={6} label="Loading teachers" />}
      {all && <TeacherList teachers={all} choose={choose} />}
    </Page>
  );
};
