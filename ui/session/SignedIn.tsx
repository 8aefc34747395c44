import type { Me } from '#api/accounts/accounts.contract';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useQuestion, useRetrying, useSessionWatch } from '../api/ApiProvider.tsx';
import { isRefused } from '../api/failure.ts';
import { forgetAbandoned, forgetDrafts } from '../drafts/indexeddb-storage.ts';
import { rememberedStudent, rememberStudent } from '../drafts/offline.ts';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { bouncedTo, sectionOf } from './guard.ts';
import { SessionProvider } from './Session.tsx';
import { leaveForLogin, useSignedOut } from '../api/signed-out.ts';
import { useOverdue } from './useOverdue.ts';
import { keptStudent } from './viewing.ts';

type SignedInProps = { readonly path: string; readonly children: ReactNode };

/**
 * The guard of every page that needs a log-in. Visitors go to the log-in and return here afterwards; users who may not enter the page at
 * the path go home: leaders from admin, teachers from admin and leader, students from all three. The server checks every right again.
 */
export const SignedIn = ({ path, children }: SignedInProps) => {
  const me = useQuestion('me', {});
  const unconfirmed = useUnconfirmed(path, me.data);
  const who = me.data ?? (me.error ? undefined : unconfirmed);
  const accountId = who?.accountId;
  useSignedOut(async () => {
    if (accountId !== undefined) await forgetDrafts(accountId);
  });
  const confirmed = me.data?.accountId;
  useEffect(() => {
    if (confirmed !== undefined) void forgetAbandoned(confirmed);
  }, [confirmed]);
  if (useOneAccount(accountId, me.refetch)) return <Skeleton label="Loading Marktrail" />;
  const elsewhere = who && bouncedTo(who, path);
  if (elsewhere !== undefined) return <Bounced to={elsewhere} />;
  if (who)
    return (
      <SessionProvider key={who.accountId} me={who} isConfirmed={me.data !== undefined} section={sectionOf(path)}>
        {children}
      </SessionProvider>
    );
  if (isRefused(me.error, 'not-authenticated')) return <Leave />;
  if (me.error)
    return (
      <main>
        <Failure error={me.error} retry={() => void me.refetch()} />
      </main>
    );
  return <Skeleton label="Loading Marktrail" />;
};

/** The log-in page belongs to another app. */
const Leave = () => {
  useEffect(() => {
    leaveForLogin();
  }, []);
  return <Skeleton label="Loading the log-in page" />;
};

const Bounced = ({ to }: { readonly to: string }) => {
  useEffect(() => location.replace(to), [to]);
  return <Skeleton label="Loading Marktrail" />;
};

const CHANNEL = 'marktrail-account';

/**
 * All tabs of a browser share one session. When somebody logs in in another tab, this tab asks who it is now (`askAgain`). The same
 * person continues; for anybody else the page reloads, so that nobody acts under a name that the page does not show and no data of the
 * previous user stays in memory. Returns whether it is about to reload.
 */
const useOneAccount = (accountId: string | undefined, askAgain: () => unknown): boolean => {
  const watch = useSessionWatch();
  const [owner, setOwner] = useState(accountId);
  if (owner === undefined && accountId !== undefined) setOwner(accountId);
  const isOther = owner !== undefined && accountId !== undefined && owner !== accountId;
  useEffect(() => {
    if (!isOther) return;
    keptStudent.write(undefined);
    location.reload();
  }, [isOther]);
  useEffect(() => {
    if (accountId === undefined) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === accountId) watch.resume();
      else void askAgain();
    };
    channel.postMessage(accountId);
    return () => channel.close();
  }, [accountId, askAgain, watch]);
  return isOther;
};

/**
 * The student who was signed in in this browser last, for a page of students that opens while the server does not say who it is. What is
 * entered waits under this account; once the server answers, it sends and shows only what belongs to who is really signed in. `answered`:
 * what it has answered.
 */
const useUnconfirmed = (path: string, answered: Me | undefined): Me | undefined => {
  const why = useRetrying()?.why;
  const [accountId, setAccountId] = useState<string>();
  const isAsked = !answered && sectionOf(path) === 'student';
  // The pages that open without a network (student-ui/marks) open with one that says nothing, too.
  const isOverdue = useOverdue(isAsked && path !== '/student/select');
  const isWanted = isAsked && (isOverdue || why === 'unreachable' || why === 'starting');
  useEffect(() => {
    if (answered) void rememberStudent(answered.role === 'student' ? answered.accountId : undefined);
  }, [answered]);
  useEffect(() => {
    if (isWanted) void rememberedStudent().then(setAccountId);
  }, [isWanted]);
  return accountId === undefined ? undefined : { ...NOBODY, accountId };
};

/** Names are not kept on the device. */
const NOBODY: Omit<Me, 'accountId'> = {
  name: 'You',
  email: '',
  role: 'student',
  school: { schoolId: '', name: 'Marktrail', structureOpen: false, resultsShown: false },
  subjects: [],
};
