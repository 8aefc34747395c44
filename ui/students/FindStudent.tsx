import { Suspense, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { searchIcon } from '../frame/icons.tsx';
import { lazily } from '../lazily.ts';
import styles from './FindStudent.module.css';

const FindDialog = lazily(() => import('./FindDialog.tsx'), 'FindDialog');

/** Finds a student from every page: a button in the header, or Ctrl+K once the page is there. */
export const FindStudent = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className={styles.find} title="Find student" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        {searchIcon}
        <span>Find student</span>
      </Button>
      <Suspense fallback={null}>
        <FindDialog isOpen={isOpen} setOpen={setOpen} />
      </Suspense>
    </>
  );
};
