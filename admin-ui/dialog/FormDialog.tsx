import type { DialogProps } from '@mui/material';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useId, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { WaitStrip } from '../../ui/feedback/WaitStrip.tsx';
import { useUnsaved } from '../../ui/session/unsaved.ts';

type FormDialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
} & Pick<DialogProps, 'maxWidth' | 'fullScreen'>;

/**
 * A dialog in which something is typed. Escape, or a click beside it, closes it at once where nothing was; else it asks. Its Cancel is no
 * slip of the hand, and does not.
 */
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

/** Whoever presses a key too often keeps what he typed. */
const Discard = ({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) => {
  const titleId = useId();
  return (
    <Dialog open onClose={onKeep} aria-labelledby={titleId} maxWidth="xs">
      <DialogTitle id={titleId}>Discard what you typed?</DialogTitle>
      <DialogContent>It is not stored yet.</DialogContent>
      <DialogActions>
        <Button color="error" onClick={onDiscard}>
          Discard
        </Button>
        <Button variant="contained" autoFocus onClick={onKeep}>
          Keep typing
        </Button>
      </DialogActions>
    </Dialog>
  );
};

const TypedContext = createContext<Set<symbol> | undefined>(undefined);

/** Says that a part of a form holds something that is not stored: neither the dialog around it nor the page goes without asking. */
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

/** The same of a form of react-admin's; belongs into it. */
export const FormTyped = () => <Typed when={useFormState().isDirty} />;
