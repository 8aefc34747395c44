import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';

/**
 * The button that adds a record, for each place on a page that offers it, and its dialog. The dialog belongs to the page: an empty list
 * also has the button, and disappears when somebody else adds the first record.
 */
export const useAddDialog = (label: string, render: (close: () => void) => ReactNode) => {
  const [open, setOpen] = useState(false);
  return {
    button: (
      <Changes>
        <Button variant="contained" onClick={() => setOpen(true)}>
          {label}
        </Button>
      </Changes>
    ),
    dialog: open && render(() => setOpen(false)),
  };
};
