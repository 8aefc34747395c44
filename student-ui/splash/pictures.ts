const files = import.meta.glob<string>('./pictures/*.webp', { eager: true, query: '?url', import: 'default' });

/** Size of a picture in CSS pixels, as tests/browser/pictures.ts takes it: wide, and on a phone. */
export const sizes = { wide: { width: 840, height: 560 }, narrow: { width: 390, height: 520 } } as const;

/** The URL of a slide's picture. */
export const pictureOf = (name: string, size: keyof typeof sizes, scheme: 'light' | 'dark'): string | undefined =>
  files[`./pictures/${name}-${size}-${scheme}.webp`];
