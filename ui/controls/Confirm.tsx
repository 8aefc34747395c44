import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogFoot } from './Dialog.tsx';

type ConfirmProps = {
  readonly title: string;
  /** What it would do, and whether it can be undone. */
  readonly children: ReactNode;
  /** The label of the button that does it, with the number of what it is done to: 'Delete 15 students'. */
  readonly go: string;
  /** That of the button that leaves everything as it is, as Escape does. */
  readonly stay?: string;
  /** Something is removed or lost: the button is red. */
  readonly removes?: boolean;
  /** Beside the two: something else that may be meant. */
  readonly instead?: ReactNode;
  readonly cannot?: boolean;
  /** It is being done: the question stands until it is. */
  readonly pending?: boolean;
  readonly onGo: () => void;
  readonly onClose: () => void;
};

/** Asks before something is done. */
export const Confirm = (props: ConfirmProps) => {
  const { title, children, go, stay = 'Cancel', removes = false, instead, cannot = false, pending = false, onGo, onClose } = props;
  return (
    <Dialog title={title} open onClose={onClose} isQuestion>
      <div className="stack gap-3 pad">{children}</div>
      <DialogFoot>
        <Button onClick={onClose}>{stay}</Button>
        {instead}
        <Button look={removes ? 'danger' : 'primary'} disabled={cannot || pending} onClick={onGo}>
          {go}
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
