import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useQuestion } from '../api/ApiProvider.tsx';
import { isRefused } from '../api/failure.ts';
import { forgetAbandoned, forgetDrafts } from '../drafts/indexeddb-storage.ts';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { forgetOpenings, useAskedAhead } from './asked-ahead.ts';
import { useOneAccount } from './one-account.ts';
import { bouncedTo, sectionOf } from './guard.ts';
import { SessionProvider } from './Session.tsx';
import { leaveForLogin, useSignedOut } from '../api/signed-out.ts';
import { useUnconfirmed } from './without-network.ts';

type SignedInProps = { readonly path: string; readonly children: ReactNode };

/**
 * The guard of every page that needs a log-in. Visitors go to the log-in and return here afterwards; users who may not enter the page at
 * the path go home: leaders from admin, teachers from admin and leader, students from all three. The server checks every right again.
 */
export const SignedIn = ({ path, children }: SignedInProps) => {
  useAskedAhead();
  const me = useQuestion('me', {});
  const unconfirmed = useUnconfirmed(path, me.data);
  const who = me.data ?? (me.error ? undefined : unconfirmed);
  const accountId = who?.accountId;
  useSignedOut(async () => {
    forgetOpenings();
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
    forgetOpenings();
    leaveForLogin();
  }, []);
  return <Skeleton label="Loading the log-in page" />;
};

const Bounced = ({ to }: { readonly to: string }) => {
  useEffect(() => location.replace(to), [to]);
  return <Skeleton label="Loading Marktrail" />;
};
