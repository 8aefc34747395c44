import type { RaThemeOptions } from 'react-admin';
import { useMemo, useSyncExternalStore } from 'react';
import { controls } from './controls.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const subscribe = (changed: () => void) => {
  dark.addEventListener('change', changed);
  return () => dark.removeEventListener('change', changed);
};

/** MUI's theme, made from the product's tokens as they are on this screen now: light or dark. */
export const useAppTheme = (): RaThemeOptions => {
  const isDark = useSyncExternalStore(subscribe, () => dark.matches);
  return useMemo(() => themeOf(isDark), [isDark]);
};

const themeOf = (isDark: boolean): RaThemeOptions => {
  const styles = getComputedStyle(document.documentElement);
  // MUI computes with colours, so it needs values, not custom properties.
  const token = (name: string): string => styles.getPropertyValue(`--${name}`).trim();
  return {
    palette: {
      mode: isDark ? 'dark' : 'light',
      primary: { main: token('action'), dark: token('action-hover'), contrastText: token('on-action') },
      secondary: { main: token('action'), contrastText: token('on-action') },
      error: { main: token('error') },
      background: { default: token('canvas'), paper: token('surface') },
      text: { primary: token('ink'), secondary: token('muted') },
      divider: token('hairline'),
      action: { hover: token('hover'), disabledBackground: token('hairline'), disabled: token('muted') },
    },
    shape: { borderRadius: 6 },
    spacing: 8,
    typography: {
      fontFamily: token('sans'),
      fontSize: 14,
      fontWeightMedium: 550,
      h6: { fontSize: '1rem', fontWeight: 700 },
      body1: { fontSize: '0.875rem' },
      body2: { fontSize: '0.875rem' },
      button: { textTransform: 'none', fontWeight: 550 },
    },
    transitions: {
      duration: { shortest: 120, shorter: 120, short: 150, standard: 150, complex: 180, enteringScreen: 150, leavingScreen: 120 },
    },
    breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
    components: controls(token),
  };
};
