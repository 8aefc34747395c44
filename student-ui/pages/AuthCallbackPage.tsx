import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { socialSentence, tellOutcome } from '../form/social.ts';
import { Below, Sheet } from '../sheet/Sheet.tsx';

/** Where the popup of a social sign-in ends: it tells the page that opened it, and closes. */
export const AuthCallbackPage = () => {
  const [search] = useSearchParams();
  const error = search.get('error');
  useEffect(() => {
    tellOutcome({ error });
    // Only a window that a script has opened can be closed by one; any other stays and shows the way on.
    window.close();
  }, [error]);
  return (
    <Sheet title={error === null ? 'Back to Marktrail' : 'The log-in did not succeed'}>
      {error !== null && <Notice tone="bad" title={socialSentence(error)} />}
      <Below>
        <Link className={buttonClass('primary')} to={error === null ? '/secure' : '/login'}>
          Go on
        </Link>
      </Below>
    </Sheet>
  );
};
