import type { ReactNode } from 'react';
import { Suspense, useEffect, useRef } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { useToast } from '../ui/feedback/Toasts.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import type { MenuItem, StaffDialog } from '../ui/frame/menus.tsx';
import { menuOf } from '../ui/frame/menus.tsx';
import { useSession } from '../ui/session/Session.tsx';
import { useIsRead } from './moment.ts';
import { FirstKeys } from './marks/grid/FirstKeys.tsx';
import { NotStoredYet } from './marks/NotStoredYet.tsx';
import { TypingProvider } from './marks/Typing.tsx';
import { UndoQuestions } from './marks/upload/UndoQuestion.tsx';
import { useUploadDialogs } from './marks/upload/request.ts';
import { RevisionLists } from './revision-lists/RevisionLists.tsx';
import { useRevisionLists } from './shell/revision-lists.ts';
import { UploadDialogs } from './UploadDialogs.tsx';
import { TeacherProvider } from './shell/viewed/TeacherProvider.tsx';
import { OfTeacher, ViewedTeacher } from './shell/viewed/ViewedTeacher.tsx';
import { FindStudent } from '../ui/students/FindStudent.tsx';
import { SubjectPicker } from '../ui/frame/header/SubjectPicker.tsx';

/** The frame of every page for teachers and leaders. */
export const StaffShell = ({ children }: { readonly children: ReactNode }) => (
  <TypingProvider>
    <TeacherProvider>
      <UndoQuestions>
        <UploadDialogs>
          <RevisionLists>
            <ShellFrame>{children}</ShellFrame>
          </RevisionLists>
        </UploadDialogs>
      </UndoQuestions>
    </TeacherProvider>
  </TypingProvider>
);

const ShellFrame = ({ children }: { readonly children: ReactNode }) => {
  useSubjectGone();
  return (
    <Frame
      menu={useMenu()}
      middle={<SubjectPicker />}
      find={!useIsRead() && <FindStudent />}
      notices={
        <>
          <ViewedTeacher />
          <NotStoredYet />
        </>
      }
    >
      <Suspense fallback={<Loading />}>
        <OfTeacher>{children}</OfTeacher>
      </Suspense>
    </Frame>
  );
};

/** Shown while the code of a page is loaded; of a sheet, its first keys are kept. */
const Loading = () => {
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  return (
    <>
      {path.endsWith('/marks') && search.has('set') && search.has('test') && <FirstKeys />}
      <Skeleton rows={8} />
    </>
  );
};

/** Tells the user why the page is about another subject than before, or about none. */
const useSubjectGone = (): void => {
  const { me, subject } = useSession();
  const toast = useToast();
  const last = useRef(subject);
  useEffect(() => {
    const before = last.current;
    const isMine = (one: typeof subject) => me.subjects.some(({ subjectId }) => subjectId === one?.subjectId);
    // The toast is shown once, even if unsaved input keeps the page on the old subject.
    last.current = isMine(subject) ? subject : undefined;
    if (before && !isMine(before)) toast({ tone: 'warn', text: `${before.name} has been deleted, or is no longer one of your subjects.` });
  }, [me.subjects, subject, toast]);
};

const useMenu = (): readonly MenuItem[] => {
  const { me, section, subject } = useSession();
  const { open, mayUpload } = useUploadDialogs();
  const openLists = useRevisionLists();
  /** The chosen class, and an earlier moment, are kept from page to page. */
  const kept = new URLSearchParams(
    [...new URLSearchParams(useSearch())].filter(([name]) => name === 'year' || name === 'set' || name === 'asOf'),
  ).toString();
  const dialogs = { totals: mayUpload ? () => open({ kind: 'totals' }) : undefined, lists: subject && (() => openLists({})) };
  useAskedDialog(dialogs);
  return menuOf(me, section).flatMap((item): readonly MenuItem[] => {
    if (!('to' in item)) return [item];
    const { label, icon, to, dialog } = item;
    if (!dialog) return [kept && to !== '/profile' ? { ...item, to: `${to}?${kept}` } : item];
    const act = dialogs[dialog];
    return act ? [{ label, icon, act }] : [];
  });
};

/** Opens the dialog that a page of another app led to. */
const useAskedDialog = (dialogs: Readonly<Record<StaffDialog, (() => void) | undefined>>): void => {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('dialog');
  useEffect(() => {
    if (asked === null) return;
    if (asked === 'totals' || asked === 'lists') dialogs[asked]?.();
    setSearch((before) => new URLSearchParams([...before].filter(([name]) => name !== 'dialog')), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each address
  }, [asked]);
};
