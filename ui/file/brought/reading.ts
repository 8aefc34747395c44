/** Loaded once a file is chosen: all that it takes to read one. */
export { broughtOf } from './brought.ts';
export { withRole } from '../layout/layout.ts';
export { openFile } from './open-file.ts';
export { asRemembered, rememberColumns } from './remembered-columns.ts';
