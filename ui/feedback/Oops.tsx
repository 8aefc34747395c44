import type { Reported } from '#api/contract/errors';
import type { ReactNode } from 'react';
import { Component, useEffect, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { hearErrors, logError, tellError } from '../api/errors.ts';
import styles from './Oops.module.css';

/**
 * The banner for unexpected errors. Each is logged first; the server's answer decides what is shown (nothing to
 * students), for how long, and the number by which an admin finds it.
 */
export const OopsProvider = ({ children }: { readonly children: ReactNode }) => {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const show = async (error: unknown) => {
      const reported = await logError(error);
      if (reported?.banner) setShown({ id: reported.id, ...reported.banner });
    };
    return hearErrors((error) => void show(error));
  }, []);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(undefined), shown.milliseconds);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <>
      {shown && <Banner shown={shown} dismiss={() => setShown(undefined)} />}
      <Boundary>{children}</Boundary>
    </>
  );
};

/** Logs an error and shows it in the banner. */
export const useOops = () => tellError;

type Shown = NonNullable<Reported['banner']> & { readonly id: string };

const Banner = ({ shown: { id, title, text }, dismiss }: { readonly shown: Shown; readonly dismiss: () => void }) => (
  <div className={styles.banner} role="alert">
    <div>
      <p className={styles.title}>{title}</p>
      <p>The error has been logged as number {id}. Tell an admin of your school this number if it happens again.</p>
      <details>
        <summary>More details</summary>
        <p className={styles.details}>{text}</p>
      </details>
    </div>
    <Button onClick={dismiss}>Dismiss</Button>
  </div>
);

/** Limits a component that throws while rendering to its page, so that the rest of the app keeps working. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    tellError(error);
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
