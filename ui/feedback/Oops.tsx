import type { ReactNode } from 'react';
import { Component, createContext, use, useCallback, useEffect, useState } from 'react';
import { isRefused } from '../api/failure.ts';
import { Button } from '../controls/Button.tsx';
import styles from './Oops.module.css';

const OopsContext = createContext<((error: unknown) => void) | undefined>(undefined);

/** The specification's banner for errors that nobody planned for: gone after 30 s, at most 800 characters of details. */
const STAYS = 30_000;
const LONGEST = 800;

export const OopsProvider = ({ children }: { readonly children: ReactNode }) => {
  const [error, setError] = useState<{ readonly text: string; readonly byServer: boolean }>();
  const oops = useCallback((cause: unknown) => setError({ text: describe(cause), byServer: isRefused(cause) }), []);
  useEffect(() => {
    if (!error) return;
    const timer = setTimeout(() => setError(undefined), STAYS);
    return () => clearTimeout(timer);
  }, [error]);
  useEffect(() => {
    const onError = (event: ErrorEvent) => {
      if (event.error) oops(event.error);
    };
    const onRejection = (event: PromiseRejectionEvent) => oops(event.reason);
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }, [oops]);
  return (
    <OopsContext value={oops}>
      {error && (
        <div className={styles.banner} role="alert">
          <div>
            <p className={styles.title}>Oops...</p>
            <p>
              {error.byServer
                ? 'Something went wrong on the server. The error has been logged.'
                : 'Something went wrong in this page. Reload it if it does not go on.'}
            </p>
            <details>
              <summary>More details</summary>
              <p className={styles.details}>{error.text}</p>
            </details>
          </div>
          <Button onClick={() => setError(undefined)}>Dismiss</Button>
        </div>
      )}
      <Boundary report={oops}>{children}</Boundary>
    </OopsContext>
  );
};

/** Shows an error in the banner. */
export const useOops = () => {
  const oops = use(OopsContext);
  if (!oops) throw new Error('There is no OopsProvider above this component.');
  return oops;
};

const describe = (cause: unknown): string => {
  if (isRefused(cause)) return `${cause.message} (${cause.code}, status ${cause.problem.status})`.slice(0, LONGEST);
  return (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, LONGEST);
};

type BoundaryProps = { readonly children: ReactNode; readonly report: (error: unknown) => void };

/** A component that throws while it renders takes its page with it, not the whole app. */
class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.report(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className={styles.fallen}>
        <p>This page cannot be shown.</p>
        <Button look="primary" onClick={() => location.assign('/')}>
          Go to the start page
        </Button>
      </main>
    );
  }
}
