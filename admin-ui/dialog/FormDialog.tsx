import type { ReactNode } from 'react';
import { createContext, use, useLayoutEffect, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { Dialog } from '../../ui/controls/Dialog.tsx';
import { ask } from '../../ui/feedback/ask.ts';
import { useUnsaved, WOULD_BE_LOST } from '../../ui/session/unsaved.ts';

type FormDialogProps = {
  readonly title: string;
  readonly size?: 'narrow' | 'fit' | 'wide';
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog with a form. Escape and Close ask first if there is unsaved input. Cancel is deliberate and does not ask. */
export const FormDialog = ({ title, size = 'narrow', onClose, children }: FormDialogProps) => {
  const [typed] = useState(() => new Set<symbol>());
  const closing = async (close: () => void) => {
    if (typed.size === 0 || (await ask(WOULD_BE_LOST))) close();
  };
  return (
    <Dialog title={title} open onClose={onClose} size={size} begins="field" beforeClose={(close) => void closing(close)}>
      <TypedContext value={typed}>{children}</TypedContext>
    </Dialog>
  );
};

const TypedContext = createContext<Set<symbol> | undefined>(undefined);

/** Marks a part of a form as unsaved: closing the dialog around it or leaving the page asks first. */
export const Typed = ({ when }: { readonly when: boolean }) => {
  const typed = use(TypedContext);
  useUnsaved(when);
  // Before the next key is heard.
  useLayoutEffect(() => {
    if (!when || !typed) return;
    const part = Symbol('part of a form');
    typed.add(part);
    return () => void typed.delete(part);
  }, [when, typed]);
  return null;
};

/** `Typed` for a react-admin form; render it inside the form. */
export const FormTyped = () => <Typed when={useFormState().isDirty} />;
