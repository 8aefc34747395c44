import type { Me } from '#contract/structure';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { LiveState } from '../../ui/api/live.ts';
import { useApi, useLive, useSessionWatch } from '../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { useOops } from '../../ui/feedback/Oops.tsx';
import { SignInAgain } from '../../ui/session/SignInAgain.tsx';
import { tellSignedOut } from '../../ui/session/signed-out.ts';
import { anythingTyped } from '../typing/typed.ts';

type Subject = Me['subjects'][number];
type Session = {
  readonly me: Me;
  /** The chosen one; undefined: none is mine. */
  readonly subject: Subject | undefined;
  readonly chooseSubject: (subjectId: string) => void;
  readonly live: LiveState;
  readonly logOut: () => void;
};

const SessionContext = createContext<Session | undefined>(undefined);

/** Who is signed in, and the subject that he looks at: the first one by default, the last chosen one from then on. */
export const SessionProvider = ({ me, children }: { readonly me: Me; readonly children: ReactNode }) => {
  const api = useApi();
  const oops = useOops();
  const remembered = `marktrail-subject-${me.accountId}`;
  const [chosen, setChosen] = useState(() => localStorage.getItem(remembered));
  const live = useLive(me.accountId);
  const chooseSubject = useCallback(
    (subjectId: string) => {
      localStorage.setItem(remembered, subjectId);
      setChosen(subjectId);
    },
    [remembered],
  );
  const session = useSessionWatch();
  useEffect(() => session.begin(), [session]);
  const logOut = useCallback(() => {
    // oxlint-disable-next-line no-alert -- the browser's own question: nothing else can be done before it is answered
    if (anythingTyped(sessionStorage) && !confirm(STILL_TYPED)) return;
    const failed = (error: unknown) => (isRefused(error, 'not-authenticated') ? tellSignedOut() : oops(error));
    void api.signOut().then(tellSignedOut, failed);
  }, [api, oops]);
  const subject = me.subjects.find(({ subjectId }) => subjectId === chosen) ?? me.subjects[0];
  const value = useMemo(() => ({ me, subject, chooseSubject, live, logOut }), [me, subject, chooseSubject, live, logOut]);
  return (
    <SessionContext value={value}>
      {children}
      <SignInAgain email={me.email} />
    </SessionContext>
  );
};

const STILL_TYPED = 'Totals that you typed are not stored yet, and logging out throws them away. Log out all the same?';

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in above this component.');
  return session;
};
