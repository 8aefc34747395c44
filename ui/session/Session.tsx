import type { Me } from '#api/accounts/accounts.contract';
import { SUBJECT_COOKIE } from '#api/contract/openings';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useApi, useLive, useSessionWatch } from '../api/ApiProvider.tsx';
import { reportError } from '../api/errors.ts';
import { isRefused, isRefusedAsAnother, Unreachable } from '../api/failure.ts';
import { forgetDrafts, waitingDrafts } from '../drafts/indexeddb-storage.ts';
import type { LiveState } from '../api/live.ts';
import { ask } from '../feedback/ask.ts';
import type { Viewed, ViewedTeacher } from './viewing.ts';
import { keptStudent, keptTeacher, viewAsOf } from './viewing.ts';
import { readConsent } from '../site/consent.ts';
import { writePreference, readPreference } from '../site/preferences.ts';
import type { Section } from '../roles.ts';
import { SignInAgain } from './SignInAgain.tsx';
import { tellSignedOut } from '../api/signed-out.ts';
import { holdsUnsaved, leaving } from './unsaved.ts';

type Subject = Me['subjects'][number];
export type Session = {
  /** The signed-in user; `me.role` is the real role, whatever is viewed. */
  readonly me: Me;
  /** The server has said so; before, nothing is asked for (SignedIn.tsx). */
  readonly isConfirmed: boolean;
  /** The section being viewed; undefined: a page for every role. */
  readonly section: Section | undefined;
  /** The chosen subject; undefined: the user has none. */
  readonly subject: Subject | undefined;
  readonly chooseSubject: (subjectId: string) => void;
  /** The student whose pages staff view; undefined: none chosen. */
  readonly viewed: Viewed | undefined;
  readonly view: (student: Viewed | undefined) => void;
  /** The teacher of the subject whose classes a leader or admin views in the teacher area; undefined: none chosen. */
  readonly teacher: ViewedTeacher | undefined;
  readonly viewTeacher: (teacher: ViewedTeacher | undefined) => void;
  /** As whom the page is viewed, and what is entered on it recorded (X-View-As); undefined: as oneself. */
  readonly viewAs: string | undefined;
  readonly logOut: () => void;
};

const SessionContext = createContext<Session | undefined>(undefined);
/** Beside the session, which every page reads: a page is not drawn anew whenever the live connection comes or goes. */
const LiveContext = createContext<LiveState>('connecting');

type SessionProviderProps = {
  readonly me: Me;
  /** The server has said who it is. */
  readonly isConfirmed: boolean;
  readonly section: Section | undefined;
  readonly children: ReactNode;
};

/** Provides the user, the section and the subject in use: the first by default, later the one chosen last. */
export const SessionProvider = ({ me, isConfirmed, section, children }: SessionProviderProps) => {
  const api = useApi();
  const watch = useSessionWatch();
  // Whose e-mail address is not known cannot log in again over the page.
  useEffect(() => (isConfirmed ? watch.begin() : undefined), [watch, isConfirmed]);
  const [viewed, setViewed] = useState(keptStudent.read);
  const [subject, chooseSubject] = useSubject(me);
  const [teacher, viewTeacher] = useViewedTeacher(me.accountId, subject?.subjectId);
  const viewAs = viewAsOf(me.role, section, { viewed, teacher });
  /** A layout effect runs before the effects in which the components below send their queries. */
  useLayoutEffect(() => api.viewAs(viewAs), [api, viewAs]);
  useLayoutEffect(() => api.sendFor(me.accountId), [api, me.accountId]);
  useAskAgainAs(viewAs);
  const subjectId = subject?.subjectId;
  useEffect(() => {
    // For the server, which brings the next page's answers before any script runs.
    if (subjectId !== undefined && readConsent() === 'accepted')
      document.cookie = `${SUBJECT_COOKIE}=${subjectId}; Path=/; SameSite=Strict`;
  }, [subjectId]);
  const view = useCallback((student: Viewed | undefined) => {
    keptStudent.write(student);
    setViewed(student);
  }, []);
  const live = useLive(section === undefined || section === 'student' ? undefined : me.accountId);
  const logOut = useLogOut(me.accountId);
  const value = useMemo(
    () => ({ me, isConfirmed, section, subject, chooseSubject, viewed, view, teacher, viewTeacher, viewAs, logOut }),
    [me, isConfirmed, section, subject, chooseSubject, viewed, view, teacher, viewTeacher, viewAs, logOut],
  );
  return (
    <SessionContext value={value}>
      <LiveContext value={live}>{children}</LiveContext>
      <SignInAgain email={me.email} />
    </SessionContext>
  );
};

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in above this component.');
  return session;
};

/** Whether the page hears of changes. */
export const useLiveState = (): LiveState => use(LiveContext);

/** What was refused to the page as it was viewed before, is asked again. */
const useAskAgainAs = (viewAs: string | undefined): void => {
  const client = useQueryClient();
  useEffect(() => void client.invalidateQueries({ predicate: ({ state }) => isRefusedAsAnother(state.error, viewAs) }), [client, viewAs]);
};

const useSubject = ({ accountId, subjects }: Me) => {
  const place = `marktrail-subject-${accountId}`;
  const [chosen, setChosen] = useState(() => readPreference(place));
  const choose = useCallback(
    (subjectId: string) => {
      writePreference(place, subjectId);
      setChosen(subjectId);
    },
    [place],
  );
  const [shown, setShown] = useState<Subject>();
  const subject =
    subjects.find(({ subjectId }) => subjectId === chosen) ?? subjects.find(({ subjectId }) => subjectId === shown?.subjectId);
  // A subject that others add before it does not replace the current one; nor does its removal while there is unsaved input about it.
  const now = subject ?? (holdsUnsaved() ? shown : undefined) ?? subjects[0];
  if (now !== shown) setShown(now);
  return [now, choose] as const;
};

const useViewedTeacher = (accountId: string, subjectId: string | undefined) => {
  const [chosen, setChosen] = useState(keptTeacher(accountId).read);
  const choose = useCallback(
    (teacher: ViewedTeacher | undefined) => {
      keptTeacher(accountId).write(teacher);
      setChosen(teacher);
    },
    [accountId],
  );
  return [chosen?.subjectId === subjectId ? chosen : undefined, choose] as const;
};

const useLogOut = (accountId: string) => {
  const api = useApi();
  return useCallback(() => {
    const leave = () => void tellSignedOut(() => forgetDrafts(accountId));
    const out = async () => {
      if ((await waitingDrafts(accountId)) > 0 && !(await ask(STILL_TYPED))) return;
      for (let isAgain = true; isAgain;) {
        const failure = await api.signOut().then(
          () => undefined,
          (error: unknown) => (isRefused(error, 'not-authenticated') ? undefined : error),
        );
        if (failure === undefined) return leave();
        reportError(failure);
        isAgain = await ask(stillIn(failure));
      }
    };
    leaving('app', () => void out());
  }, [accountId, api]);
};

/** In the way of everything: on a computer that others use, nobody must take the log-out for done. */
const stillIn = (failure: unknown) => ({
  title: 'Not logged out',
  text: `You are still logged in: ${failure instanceof Unreachable ? 'the server cannot be reached' : 'logging out failed'}. Try again.`,
  go: 'Try again',
  stay: 'Stay here',
});

const STILL_TYPED = {
  title: 'Log out without saving?',
  text: 'Marks that you typed are not stored yet, and logging out throws them away.',
  go: 'Log out all the same',
  stay: 'Stay here',
  removes: true,
};
