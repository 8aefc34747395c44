import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';

/**
 * What adds a record: its button, for every place of a page that offers it, and the dialog that it opens. The dialog belongs to the page
 * itself: an empty list has the button too, and is gone as soon as somebody else adds the first record.
 */
export const useAddDialog = (label: string, render: (close: () => void) => ReactNode) => {
  const [open, setOpen] = useState(false);
  return {
    button: (
      <Button variant="contained" onClick={() => setOpen(true)}>
        {label}
      </Button>
    ),
    dialog: open && render(() => setOpen(false)),
  };
};
