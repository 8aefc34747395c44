import type { Reported } from '#api/contract/errors';
import type { ReactNode } from 'react';
import { Component, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../controls/Button.tsx';
import { noticePlace } from '../controls/notice-place.ts';
import { onReportedError, logError, reportError } from '../api/errors.ts';
import { isServerThere } from '../lazily.ts';
import { Notice } from './Notice.tsx';
import styles from './Oops.module.css';
import { useRoomAtFoot } from './useRoomAtFoot.ts';

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
    return onReportedError((error) => void show(error));
  }, []);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(undefined), shown.milliseconds);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <>
      {shown && <Banner shown={shown} dismiss={() => setShown(undefined)} />}
      <Boundary fallen={<AppFallen />}>{children}</Boundary>
    </>
  );
};

type Shown = NonNullable<Reported['banner']> & { readonly id: string };

/** A line at the foot of the page, or of the dialog that is open, as other notices are: over no control. */
const Banner = ({ shown: { id, title, text }, dismiss }: { readonly shown: Shown; readonly dismiss: () => void }) => {
  const { element } = useSyncExternalStore(noticePlace.subscribe, noticePlace.now);
  const line = useRef<HTMLDivElement>(null);
  useRoomAtFoot('--oops', line, element === undefined);
  return createPortal(
    <div ref={line} className={styles.banner} data-in-dialog={element !== undefined || undefined}>
      <Notice tone="bad" title={title} actions={<Button onClick={dismiss}>Dismiss</Button>}>
        <p>The error has been logged as number {id}. Tell an admin of your school this number if it happens again.</p>
        <details>
          <summary>More details</summary>
          <p className="small breaks">{text}</p>
        </details>
      </Notice>
    </div>,
    element ?? document.body,
  );
};

/**
 * Limits what throws while rendering, or could not be loaded, to the page: the frame around it, with its menu and the log-out, goes on.
 * `path`: on another one it is tried again.
 */
export const PageBoundary = ({ path, children }: { readonly path: string; readonly children: ReactNode }) => (
  <Boundary path={path} fallen={<PageFallen />}>
    {children}
  </Boundary>
);

type BoundaryProps = { readonly path?: string; readonly fallen: ReactNode; readonly children: ReactNode };

type BoundaryState = { readonly failed: boolean; readonly path: string | undefined };

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false, path: undefined };

  static getDerivedStateFromProps({ path }: BoundaryProps, state: BoundaryState) {
    return path === state.path ? null : { failed: false, path };
  }

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    reportError(error);
  }

  override render() {
    return this.state.failed ? this.props.fallen : this.props.children;
  }
}

const AppFallen = () => (
  <main className={`stack gap-4 ${styles.fallen}`}>
    <p>{NOT_SHOWN}</p>
    <Button look="primary" onClick={() => location.assign('/')}>
      Go to the start page
    </Button>
  </main>
);

/** Loads it anew once the server can be reached: by itself when the network comes back. */
const PageFallen = () => {
  const [isAway, setAway] = useState(false);
  const again = useCallback(async () => {
    if (await isServerThere()) location.reload();
    else setAway(true);
  }, []);
  useEffect(() => {
    const online = () => void again();
    window.addEventListener('online', online);
    return () => window.removeEventListener('online', online);
  }, [again]);
  return (
    <>
      <h1>{NOT_SHOWN}</h1>
      <Notice
        tone="bad"
        title={isAway ? 'The server cannot be reached.' : 'A part of it could not be loaded, or has failed.'}
        actions={<Button onClick={() => void again()}>Try again</Button>}
      >
        <p>Check your connection, then try again.</p>
      </Notice>
    </>
  );
};

const NOT_SHOWN = 'This page cannot be shown.';
