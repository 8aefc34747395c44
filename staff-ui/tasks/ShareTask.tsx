import type { TaskCardSet } from '#api/tasks/task.contract';
import { useState } from 'react';
import { Button, buttonClass } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/controls/Dialog.tsx';
import { NotSeen } from '../marks/tracker/NotSeen.tsx';
import { Remind } from '../marks/tracker/Remind.tsx';
import { useStructure } from '../queries.ts';
import styles from './Tasks.module.css';

/** Ways to bring the page on which students submit their marks to the class: a classroom, a link, a QR code. */
export const ShareTask = ({ tests }: { readonly tests: readonly Pick<TaskCardSet['tests'][number], 'testId' | 'name'>[] }) => {
  const [isOpen, setOpen] = useState(false);
  const structure = useStructure().data;
  const seen = structure && new Set(structure.tests.flatMap((test) => (test.visible ? [test.testId] : [])));
  return (
    <>
      <Button look="plain" className={styles.link} onClick={() => setOpen(true)}>
        Add task to a classroom
      </Button>
      <Dialog title="Add task to a classroom" open={isOpen} onClose={() => setOpen(false)}>
        <div className="stack gap-6 pad">
          {tests.map(({ testId, name }) => (
            <section key={testId} aria-label={name} className="stack gap-3 own-width">
              <h3>{name}</h3>
              <NotSeen testId={testId} name={name} isVisible={seen === undefined || seen.has(testId)}>
                <a className={buttonClass()} href={classroomAddress(testId)} target="_blank" rel="noreferrer">
                  Share to Google Classroom
                </a>
                <Remind testId={testId} />
              </NotSeen>
            </section>
          ))}
        </div>
      </Dialog>
    </>
  );
};

/** A plain address: nothing of the classroom runs here. */
const classroomAddress = (testId: string): string =>
  `https://classroom.google.com/share?url=${encodeURIComponent(`${location.origin}/student/submit?test=${testId}`)}`;
