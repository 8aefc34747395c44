import type { DialogProps } from '@mui/material';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useId, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { WaitStrip } from '../../ui/controls/WaitStrip.tsx';
import { useUnsaved, WOULD_BE_LOST } from '../../ui/session/unsaved.ts';

type FormDialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
} & Pick<DialogProps, 'maxWidth' | 'fullScreen'>;

/** A dialog with a form. Escape or a click outside asks first if there is unsaved input. Cancel is deliberate and does not ask. */
export const FormDialog = ({ title, onClose, children, ...look }: FormDialogProps) => {
  const [typed] = useState(() => new Set<symbol>());
  const [asking, setAsking] = useState(false);
  const titleId = useId();
  return (
    <Dialog {...look} open onClose={() => (typed.size > 0 ? setAsking(true) : onClose())} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <WaitStrip />
      <TypedContext value={typed}>{children}</TypedContext>
      {asking && <Discard onDiscard={onClose} onKeep={() => setAsking(false)} />}
    </Dialog>
  );
};

/** Keeping the input is the default, so that a repeated Escape loses nothing. */
const Discard = ({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) => {
  const titleId = useId();
  return (
    <Dialog open onClose={onKeep} aria-labelledby={titleId} maxWidth="xs">
      <DialogTitle id={titleId}>{WOULD_BE_LOST.title}</DialogTitle>
      <DialogContent>{WOULD_BE_LOST.text}</DialogContent>
      <DialogActions>
        <Button color="error" onClick={onDiscard}>
          {WOULD_BE_LOST.go}
        </Button>
        <Button variant="contained" autoFocus onClick={onKeep}>
          {WOULD_BE_LOST.stay}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

const TypedContext = createContext<Set<symbol> | undefined>(undefined);

/** Marks a part of a form as unsaved: closing the dialog around it or leaving the page asks first. */
export const Typed = ({ when }: { readonly when: boolean }) => {
  const typed = use(TypedContext);
  useUnsaved(when);
  useEffect(() => {
    if (!when || !typed) return;
    const part = Symbol('part of a form');
    typed.add(part);
    return () => void typed.delete(part);
  }, [when, typed]);
  return null;
};

/** `Typed` for a react-admin form; render it inside the form. */
export const FormTyped = () => <Typed when={useFormState().isDirty} />;
