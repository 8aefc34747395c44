import type { PaperProps } from '@mui/material';
import { Paper } from '@mui/material';
import { placeForNotices } from '../../ui/controls/notice-place.ts';

/** The sheet of every dialog here, with the notices at its foot, or beside it. */
export const DialogPaper = ({ children, ...paper }: PaperProps) => (
  <Paper {...paper}>
    {children}
    <div ref={placeForNotices} style={{ flex: 'none' }} data-floats />
  </Paper>
);
