import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import type { Tone } from './Notice.tsx';
import { Notice } from './Notice.tsx';
import styles from './Toasts.module.css';

export type Toast = {
  readonly tone?: Tone;
  readonly text: ReactNode;
  /** One thing to do about it, such as Undo; the toast goes when it was chosen. */
  readonly action?: { readonly label: string; readonly run: () => void };
};
type Shown = Toast & { readonly id: number };

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined);

/** ms that a toast stays; it waits while the pointer or the focus is on it. */
const STAYS = 12_000;

/** Short notices at the foot of the page about what has just happened, with its Undo. */
export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const last = useRef(0);
  const show = useCallback((toast: Toast) => setToasts((all) => [...all.slice(-2), { ...toast, id: ++last.current }]), []);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles.stack} aria-label="Notices" role="region">
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

const ToastCard = ({ toast, drop }: { readonly toast: Shown; readonly drop: (id: number) => void }) => {
  const [held, setHeld] = useState(false);
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
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Notice tone={tone ?? 'plain'} actions={actions}>
        {text}
      </Notice>
    </div>
  );
};
