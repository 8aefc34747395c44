import type { ThemeOptions } from '@mui/material';
import { dialogOnTop } from '../../ui/controls/notice-place.ts';

/** Scale of a label on the edge of its field: 12 px, the smallest text of the product. MUI's own 0.75 makes 10.5 px. */
const LABEL = 0.857;

/** Buttons, fields, dialogs and tables in the product's look: ruled lines, shadows only on what floats. */
export const controls = (token: (name: string) => string): NonNullable<ThemeOptions['components']> => {
  const edge = `1px solid ${token('hairline')}`;
  const focus = { outline: `2px solid ${token('focus')}`, outlineOffset: 2 };
  const phone = '@media (max-width: 599px)';
  return {
    MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: { '&.Mui-focusVisible': focus } } },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: { minHeight: 36, lineHeight: 1.2, whiteSpace: 'nowrap', [phone]: { minHeight: 44 } },
        outlined: { borderColor: token('line'), color: token('ink'), backgroundColor: token('surface') },
        sizeSmall: { minHeight: 32, fontSize: '0.875rem', [phone]: { minHeight: 44 } },
      },
    },
    MuiIconButton: {
      styleOverrides: {
        root: {
          color: token('muted'),
          // Unavailable buttons that keep the focus.
          '&[aria-disabled="true"]': { opacity: 0.4, cursor: 'default' },
          [phone]: { minWidth: 44, minHeight: 44 },
        },
      },
    },
    MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', fullWidth: true } },
    MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small', margin: 'dense', fullWidth: true } },
    MuiInputLabel: {
      styleOverrides: {
        outlined: {
          '&.MuiInputLabel-shrink': {
            maxWidth: 'calc(116% - 32px)',
            transform: `translate(14px, -9px) scale(${LABEL})`,
          },
        },
      },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        root: {
          backgroundColor: token('surface'),
          [phone]: { minHeight: 44 },
          '&:hover:not(.Mui-focused) .MuiOutlinedInput-notchedOutline': { borderColor: token('ink') },
        },
        notchedOutline: { borderColor: token('line'), '& legend': { fontSize: `${LABEL}em` } },
        input: { [phone]: { fontSize: 16 } },
      },
    },
    MuiFormHelperText: { styleOverrides: { root: { marginLeft: 0, fontSize: '0.8125rem', '&:empty': { display: 'none' } } } },
    MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiCard: { defaultProps: { variant: 'outlined' } },
    // What opens over a dialog is in it: everything else is inert and behind it.
    MuiModal: { defaultProps: { container: dialogOnTop } },
    MuiPopover: { defaultProps: { container: dialogOnTop } },
    MuiPopper: { defaultProps: { container: dialogOnTop, popperOptions: { strategy: 'fixed' } } },
    MuiAccordion: {
      defaultProps: { disableGutters: true, square: true },
      styleOverrides: {
        root: { border: edge, borderBottomWidth: 0, '&:last-of-type': { borderBottomWidth: 1 }, '&::before': { display: 'none' } },
      },
    },
    MuiAutocomplete: { styleOverrides: { paper: { border: edge, boxShadow: token('float') } } },
    // Its list would cut an outline around it.
    MuiMenuItem: { styleOverrides: { root: { '&.Mui-focusVisible': { outlineOffset: -2 } } } },
    MuiChip: { defaultProps: { size: 'small' }, styleOverrides: { root: { borderRadius: 6 } } },
    MuiTableCell: {
      styleOverrides: { root: { borderColor: token('hairline'), padding: '6px 12px' }, head: { fontWeight: 550, color: token('muted') } },
    },
    MuiTableSortLabel: { styleOverrides: { root: { minHeight: 24 } } },
    MuiTooltip: { defaultProps: { enterDelay: 500 } },
    MuiLink: { defaultProps: { underline: 'always' } },
  };
};
