import { Suspense, useEffect, useState } from 'react';
import { searchIcon } from '../frame/icons.tsx';
import { lazily } from '../lazily.ts';
import styles from './FindStudent.module.css';

const FindDialog = lazily(() => import('./FindDialog.tsx'), 'FindDialog');

/** Finds a student from every page: a button in the header, or Ctrl+K. */
export const FindStudent = () => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
      // Not over another dialog, nor over a question.
      if (!isShortcut || document.querySelector('dialog[open], [role="dialog"]')) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.find}
        aria-label="Find student"
        aria-keyshortcuts="Control+K Meta+K"
        title="Find student"
        onClick={() => setOpen(true)}
      >
        {searchIcon}
        <span>Find student</span>
        <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <FindDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};

const isApple = /^(?:Mac|iP)/u.test(navigator.platform);
