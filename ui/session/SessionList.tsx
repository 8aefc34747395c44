import type { Sessions, SessionShown } from '#api/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/ApiProvider.tsx';
import { isRefused, sentence } from '../api/failure.ts';
import { useSend } from '../sending/useSend.ts';
import { Button } from '../controls/Button.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Notice } from '../feedback/Notice.tsx';
import styles from './SessionList.module.css';

/** Where somebody is signed in; each session but this one can be ended, for example on a lost device. `accountId` omitted: one's own. */
export const SessionList = ({ accountId }: { readonly accountId?: string }) => {
  const api = useApi();
  const isOwn = accountId === undefined;
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions', accountId],
    queryFn: () => api.auth<Sessions>(isOwn ? '/profile/sessions' : `/sessions?accountId=${accountId}`),
  });
  const ending = useSend({
    act: (sessionId: string) =>
      api
        .auth(isOwn ? '/profile/sessions/end' : '/sessions/end', { ...(isOwn ? {} : { accountId }), sessionId })
        .catch((failure: unknown) => {
          // It has ended meanwhile.
          if (!isRefused(failure, 'not-found')) throw failure;
        }),
    onDone: () => void refetch(),
    showsError: true,
  });
  return (
    <>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {ending.error !== undefined && <Notice tone="bad" title={sentence(ending.error)} />}
      {data?.sessions.length === 0 && <p>Nowhere at the moment.</p>}
      <ul className={`stack gap-3 ${styles.sessions}`}>
        {data?.sessions.map((session) => (
          <li key={session.sessionId} className="line apart gap-3">
            <span>
              {nameOf(session)}
              {session.isThis && ' (this one)'}
              <small>{sessionText(session)}</small>
            </span>
            {!session.isThis && (
              <Button look="remove" aria-label={`End ${nameOf(session)}`} onClick={() => void ending.send(session.sessionId)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};

const WHEN = { dateStyle: 'short', timeStyle: 'short' } as const;
const at = (instant: string): string => new Date(instant).toLocaleString('en-GB', WHEN);

const nameOf = ({ browser, token }: SessionShown): string => token?.name ?? browser;

/** Last used 22/11/2026, 13:04 from 192.0.2.*, since 20/11/2026, 08:31; of a program, until when its token is good */
const sessionText = ({ network, since, lastUsed, token }: SessionShown): string => {
  const used = `Last used ${at(lastUsed)}${network === null ? '' : ` from ${network}`}, since ${at(since)}`;
  return token === null
    ? used
    : `A program, with a token until ${at(token.until)}. ${lastUsed === since ? `Made ${at(since)}, not used yet` : used}`;
};
