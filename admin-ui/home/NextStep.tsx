import { AppLink, useNavigation } from '../../ui/frame/navigation.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import styles from './NextStep.module.css';
import { useFirstSteps } from './useFirstSteps.ts';

/** Shows the next step on every admin page, so that nobody has to return to the home page in between. */
export const NextStep = () => (useSession().me.role === 'admin' ? <Line /> : null);

const Line = () => {
  const { path } = useNavigation();
  const first = useFirstSteps();
  // The home page has the whole list.
  if (!first?.next || first.subject?.marks || path === '/admin') return null;
  const { steps, done, next } = first;
  return (
    <nav className={`small ${styles.line}`} aria-label="First steps">
      <p aria-live="polite">
        <span className="muted">{`First steps: ${done} of ${steps.length} done.`}</span> {path === next.to ? 'Now' : 'Next'}:{' '}
        {path === next.to ? <b>{next.name}</b> : <AppLink to={next.to}>{next.name}</AppLink>}
      </p>
    </nav>
  );
};
