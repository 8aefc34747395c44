import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../controls/Button.tsx';
import type { Tone } from './Notice.tsx';
import { Notice } from './Notice.tsx';
import type { NoticePlace } from '../controls/notice-place.ts';
import { noticePlace } from '../controls/notice-place.ts';
import styles from './Toasts.module.css';
import { useRoomAtFoot } from './useRoomAtFoot.ts';

export type Toast = {
  readonly tone?: Tone;
  readonly text: ReactNode;
  /** What stands beneath, where the text are given words. */
  readonly more?: string | undefined;
  /** One follow-up action, such as Undo; choosing it closes the toast. */
  readonly action?: { readonly label: string; readonly run: () => void };
};
type Shown = Toast & { readonly id: number };

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined);

declare global {
  interface Window {
    /** Set by whoever cannot tell how soon a notice is looked at: it stays until it is dismissed. */
    noticesStay?: boolean;
  }
}

/** ms until a toast closes; paused while it has the pointer or the focus. */
const STAYS = 12_000;
/** ms until a screen reader has announced it. */
const ANNOUNCED_AFTER = 1_000;

/**
 * Short notices about what just happened, with Undo: one at a time, the newest, as a line at the foot of the page or of the dialog that is
 * open, below its content and its controls. F8 moves the focus to it, Escape back.
 */
export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const last = useRef(0);
  const show = useCallback((toast: Toast) => setToasts((all) => [...all.slice(-2), { ...toast, id: ++last.current }]), []);
  const { stack, leave } = useWayToNotices();
  const place = useSyncExternalStore(noticePlace.subscribe, noticePlace.now);
  const { host, home } = useHost(place);
  useRoomAtFoot('--toast', stack, place.element === undefined && toasts.length > 0);
  const drop = useCallback(
    (id: number) => {
      leave();
      setToasts((all) => all.filter((toast) => toast.id !== id));
    },
    [leave],
  );
  return (
    <ToastContext value={show}>
      {children}
      {createPortal(
        <div
          ref={stack}
          className={styles.stack}
          data-in-dialog={place.element !== undefined || undefined}
          aria-label="Notices (F8)"
          role="region"
        >
          {toasts.map((toast) => (
            <ToastCard key={toast.id} toast={toast} place={place} drop={drop} />
          ))}
        </div>,
        host,
      )}
      <div ref={home} className={styles.host} />
    </ToastContext>
  );
};

export const useToast = () => {
  const show = use(ToastContext);
  if (!show) throw new Error('There is no ToastProvider above this component.');
  return show;
};

/** The element that holds the notices. It moves as a whole, so that they keep their time and what is under way in them. */
const useHost = ({ element }: NoticePlace) => {
  const [host] = useState(() => {
    const made = document.createElement('div');
    made.className = styles.host ?? '';
    return made;
  });
  const home = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    (element ?? home.current)?.append(host);
    return () => host.remove();
  }, [element, host]);
  return { host, home };
};

/** F8 moves the focus to the newest notice. `leave`, like Escape, returns it to where it was. */
const useWayToNotices = () => {
  const stack = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement>(undefined);
  const isInside = useCallback(() => stack.current?.contains(document.activeElement) ?? false, []);
  const leave = useCallback(() => {
    if (!isInside()) return;
    if (before.current?.isConnected) before.current.focus({ preventScroll: true });
    before.current = undefined;
  }, [isInside]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isInside()) {
        // It leaves the notice, not the dialog around it.
        event.preventDefault();
        leave();
      }
      const newest = stack.current?.lastElementChild?.querySelector('button');
      if (event.key !== 'F8' || !newest) return;
      event.preventDefault();
      newest.focus();
    };
    const enter = ({ relatedTarget: from }: FocusEvent) => {
      if (isInside() && from instanceof HTMLElement && !stack.current?.contains(from)) before.current = from;
    };
    window.addEventListener('keydown', press);
    window.addEventListener('focusin', enter);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('focusin', enter);
    };
  }, [isInside, leave]);
  return { stack, leave };
};

type ToastCardProps = { readonly toast: Shown; readonly place: NoticePlace; readonly drop: (id: number) => void };

const ToastCard = ({ toast, place, drop }: ToastCardProps) => {
  const [first] = useState(place);
  const [isAnnounced, setAnnounced] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(true), ANNOUNCED_AFTER);
    return () => clearTimeout(timer);
  }, []);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  // A notice that is moved away from under the pointer, or with the focus, gets no event that says so.
  const [here, setHere] = useState(place);
  if (place !== here) {
    setHere(place);
    setPointed(false);
    setFocused(false);
  }
  const held = pointed || focused;
  const { id, tone, text, more, action } = toast;
  useEffect(() => {
    if (held || window.noticesStay) return;
    const timer = setTimeout(() => drop(id), STAYS);
    return () => clearTimeout(timer);
  }, [held, drop, id]);
  const actions = useMemo(
    () => (
      <>
        {action && (
          <Button
            look="plain"
            onClick={() => {
              action.run();
              drop(id);
            }}
          >
            {action.label}
          </Button>
        )}
        <Button look="plain" onClick={() => drop(id)}>
          Dismiss
        </Button>
      </>
    ),
    [action, drop, id],
  );
  return (
    <div
      className={styles.toast}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Notice
        tone={tone ?? 'plain'}
        title={more === undefined ? undefined : text}
        isAnnounced={isAnnounced && place !== first}
        actions={actions}
      >
        {more === undefined ? text : <p>{more}</p>}
      </Notice>
    </div>
  );
};
