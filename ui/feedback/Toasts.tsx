import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import type { Tone } from './Notice.tsx';
import { Notice } from './Notice.tsx';
import styles from './Toasts.module.css';

export type Toast = {
  readonly tone?: Tone;
  readonly text: ReactNode;
  /** One follow-up action, such as Undo; choosing it closes the toast. */
  readonly action?: { readonly label: string; readonly run: () => void };
};
type Shown = Toast & { readonly id: number };

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined);

/** ms until a toast closes; paused while it has the pointer or the focus. */
const STAYS = 12_000;

/** Short notices at the foot of the page about what just happened, with Undo. F8 moves the focus to the newest, Escape back. */
export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const last = useRef(0);
  const show = useCallback((toast: Toast) => setToasts((all) => [...all.slice(-2), { ...toast, id: ++last.current }]), []);
  const { stack, leave } = useWayToNotices();
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
      <div ref={stack} className={styles.stack} aria-label="Notices (F8)" role="region">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} drop={drop} />
        ))}
      </div>
    </ToastContext>
  );
};

export const useToast = () => {
  const show = use(ToastContext);
  if (!show) throw new Error('There is no ToastProvider above this component.');
  return show;
};

/** F8 moves the focus to the newest notice. `leave`, like Escape, returns it to where it was. */
const useWayToNotices = () => {
  const stack = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement>(undefined);
  const leave = useCallback(() => {
    if (!stack.current?.contains(document.activeElement)) return;
    if (before.current?.isConnected) before.current.focus();
    before.current = undefined;
  }, []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') leave();
      const newest = stack.current?.lastElementChild?.querySelector('button');
      if (event.key !== 'F8' || !newest) return;
      event.preventDefault();
      const here = document.activeElement;
      if (!stack.current?.contains(here) && here instanceof HTMLElement) before.current = here;
      newest.focus();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [leave]);
  return { stack, leave };
};

const ToastCard = ({ toast, drop }: { readonly toast: Shown; readonly drop: (id: number) => void }) => {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = pointed || focused;
  const { id, tone, text, action } = toast;
  useEffect(() => {
    if (held) return;
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
      <Notice tone={tone ?? 'plain'} actions={actions}>
        {text}
      </Notice>
    </div>
  );
};
