import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { buttonClass } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { socialSentence, tellOutcome } from '../form/SocialSignIn.tsx';
import { Below, Card } from '../../../ui/frame/Card.tsx';

/** The end of a social sign-in: reports to the page that opened the popup, and closes it. */
export const AuthCallbackPage = () => {
  const [search] = useSearchParams();
  const error = search.get('error');
  useEffect(() => {
    tellOutcome({ error });
    // Scripts may only close windows that a script opened; any other window stays and shows a link.
    window.close();
  }, [error]);
  return (
    <Card title={error === null ? 'Back to Marktrail' : 'The log-in did not succeed'}>
      {error !== null && <Notice tone="bad" title={socialSentence(error)} />}
      <Below>
        <Link className={buttonClass('primary')} to={error === null ? '/secure' : '/login'}>
          Go on
        </Link>
      </Below>
    </Card>
  );
};
