import { useEffect, useRef } from 'react';
import { Dialog } from '../controls/Dialog.tsx';
import { useGo } from '../frame/navigation.tsx';
import { useSession } from '../session/Session.tsx';
import { leaving } from '../session/unsaved.ts';
import type { StudentPlace } from './place-of.ts';
import { addressOf } from './place-of.ts';
import type { FoundLine, FoundStudent } from './StudentFinder.tsx';
import { StudentFinder } from './StudentFinder.tsx';

type Line = FoundLine & { readonly place: StudentPlace };

type FindDialogProps = { readonly isOpen: boolean; readonly setOpen: (isOpen: boolean) => void };

/** The dialog, and the key that opens it. */
export const FindDialog = ({ isOpen, setOpen }: FindDialogProps) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // Not over another dialog, nor over a question.
      if (!isShortcut || document.querySelector('dialog[open], [role="dialog"]')) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [setOpen]);
  return isOpen && <Found onClose={() => setOpen(false)} />;
};

/** Leads to a student where they are. Who is in several subjects has a line for each. */
const Found = ({ onClose }: { readonly onClose: () => void }) => {
  const { me, section, subject, chooseSubject } = useSession();
  const go = useGo();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Once the dialog is shown, which takes the focus itself.
    const timer = setTimeout(() => body.current?.querySelector<HTMLElement>('[data-find]')?.focus());
    return () => clearTimeout(timer);
  }, []);
  const isOther = ({ subjectId }: StudentPlace): number => Number(subjectId !== subject?.subjectId);
  const linesOf = (student: FoundStudent): readonly Line[] =>
    student.places
      .toSorted((a, b) => isOther(a) - isOther(b))
      .map((place) => {
        const name = me.subjects.length > 1 && me.subjects.find(({ subjectId }) => subjectId === place.subjectId)?.name;
        const about = [student.admissionNo, place.set ?? 'Off-Roll', name].filter(Boolean).join(' · ');
        return { key: `${student.studentId}-${place.subjectId}`, student, about, place };
      });
  const choose = ({ student, place }: Line) => {
    const to = addressOf(me, section, student, place);
    onClose();
    if (place.subjectId === subject?.subjectId) return go(to);
    leaving('app', () => {
      go(to);
      chooseSubject(place.subjectId);
    });
  };
  return (
    <Dialog title="Find a student" open onClose={onClose}>
      <div ref={body} className="pad">
        <StudentFinder
          label="Student"
          linesOf={linesOf}
          choose={choose}
          most={20}
          before={me.role === 'teacher' ? 'Students of your classes are found.' : BEFORE[me.role === 'admin' ? 'admin' : 'leader']}
        />
      </div>
    </Dialog>
  );
};

const BEFORE = { admin: 'Students of the whole school are found.', leader: 'Students of your subjects are found.' };
