import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/controls/Dialog.tsx';
import { dateTime } from '../format.ts';
import { MomentForm } from './MomentForm.tsx';
import { useMoment } from './useMoment.ts';

/** Shows the moment of the page, and opens the choice of another. */
export const MomentControl = () => {
  const { asOf, goTo } = useMoment();
  const [open, setOpen] = useState(false);
  const shown = asOf === undefined ? 'Now' : dateTime(asOf);
  return (
    <>
      <Button aria-haspopup="dialog" aria-label={`${shown}: choose the moment to show`} onClick={() => setOpen(true)}>
        <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
          <path d="M10 3a7 7 0 1 0 .01 0M10 6v4.2l2.8 1.8" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
        {shown}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Show an earlier moment">
        <MomentForm
          asOf={asOf}
          choose={(chosen) => {
            setOpen(false);
            goTo(chosen);
          }}
        />
      </Dialog>
    </>
  );
};
