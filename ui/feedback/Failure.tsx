import { reportError } from '../api/errors.ts';
import { isRefused, isUnexpected, sentence } from '../api/failure.ts';
import { Button } from '../controls/Button.tsx';
import { Notice } from './Notice.tsx';
import { useEffect } from 'react';

/** Replaces content that failed to load: the reason, and Try again. Unexpected errors go into the banner as well. */
export const Failure = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  useEffect(() => {
    if (isUnexpected(error)) reportError(error);
  }, [error]);
  if (isRefused(error, 'not-authenticated')) return null;
  const forbidden = isRefused(error, 'forbidden', 'not-your-set');
  const gone = isRefused(error, 'not-found');
  return (
    <Notice
      tone={gone ? 'warn' : 'bad'}
      title={sentence(error)}
      actions={retry && !forbidden && <Button onClick={retry}>Try again</Button>}
    >
      {isRefused(error) && error.problem.detail && <p>{error.problem.detail}</p>}
      {forbidden && <p>If you should have access, ask an admin of your school.</p>}
      {gone && <p>It may have been deleted since this page was opened.</p>}
    </Notice>
  );
};
