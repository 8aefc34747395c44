import type { ReportPages } from './pages.ts';
import { INK } from './pages.ts';

export type Band = 'green' | 'amber' | 'red';

/** The grounds of the bands (ui/tokens.css) on paper, and a letter that a grey printer prints too. */
const LOOKS: Readonly<Record<Band, { readonly ground: readonly [number, number, number]; readonly letter: string }>> = {
  green: { ground: [0xcf, 0xe8, 0xb4], letter: 'G' },
  amber: { ground: [0xff, 0xe2, 0xa8], letter: 'A' },
  red: { ground: [0xf9, 0xc9, 0xc1], letter: 'R' },
};

/** mm of a bar of 0 % */
const EMPTY = 0.8;

type Place = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** of the letter, pt */ readonly size?: number;
};

/** A bar that is filled as far as `share` (0 to 1), with the letter of its band at its end; null: an empty frame. */
export const drawBar = (pages: ReportPages, band: Band | null, share: number, { x, y, width, height, size = 9 }: Place): void => {
  const room = width - 6;
  if (band) {
    const { ground, letter } = LOOKS[band];
    // A line says that there is nothing: an empty frame is of what is not known.
    if (share <= 0) pages.pdf.setFillColor(...INK).rect(x, y, EMPTY, height, 'F');
    else pages.pdf.setFillColor(...ground).rect(x, y, room * Math.min(1, share), height, 'F');
    pages.write(letter, x + room + 2, y + height - 0.6, { bold: true, size });
  }
  pages.pdf
    .setDrawColor(...INK)
    .setLineWidth(0.15)
    .rect(x, y, room, height, 'S');
};

export const BANDS_EXPLAINED = 'G green, A amber, R red: by the thresholds of the class.';
