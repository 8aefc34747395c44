import type { Verified } from '#api/contract/auth';
import { authMessages } from '#api/contract/auth-messages';
import { useEffect, useState } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { sentence } from '../../../ui/api/failure.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { askAuth } from '../form/ask.ts';
import { Below, Card } from '../../../ui/frame/Card.tsx';

/** The target of e-mail verification links: continues a registration, or confirms a new address. */
export const VerifyPage = () => {
  const { token, verified, failure } = useMailedLink();
  if (verified?.kind === 'registration') return <Redirect to={`/finalise?${new URLSearchParams({ token })}`} replace />;
  if (!verified && !failure) return <Skeleton label="Checking the link" />;
  return (
    <Card title={verified ? 'Thank you' : 'This link does not work'}>
      <Notice tone={verified ? 'good' : 'bad'} title={verified?.message ?? failure} />
      <Below>
        <Link to="/login">Go to the log-in</Link>
        <Link to="/register">Sign Up</Link>
      </Below>
    </Card>
  );
};

/** What the link of the address is for, which its page says before anything is typed. */
export const useMailedLink = () => {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [verified, setVerified] = useState<Verified>();
  const [failure, setFailure] = useState<string | undefined>(token === '' ? authMessages.linkDead : undefined);
  useEffect(() => {
    if (token === '') return;
    const verification = once(token, () => askAuth<Verified>('/verify', { token }));
    verification.then(setVerified, (error: unknown) => setFailure(sentence(error)));
  }, [token]);
  return { token, verified, failure };
};

/** A confirmation link works once, so a second render must not ask again. */
const askedBefore = new Map<string, Promise<Verified>>();
const once = (token: string, ask: () => Promise<Verified>): Promise<Verified> => {
  const before = askedBefore.get(token) ?? ask();
  askedBefore.set(token, before);
  return before;
};
