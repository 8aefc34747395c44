/** What is open about a figure of a student, or was decided by hand: the one list, for screens, Excel and paper. Without schemas, as students load it. */
import type { MarkFlag, TotalFlag } from './total-flag.ts';

export type Flag = TotalFlag | MarkFlag | 'overridden' | 'changed' | 'left';

type Words = {
  /** Beside the figure. */
  readonly sign: '?' | '!' | '*';
  /** Beside a name or in a note, and for whoever hears the page. */
  readonly short: string;
  /** Explains the sign. */
  readonly text: string;
  /**
   * It is on the student's own pages and papers, too. What staff have yet to settle about their own total or mark is theirs to know, without the
   * other values; a score of today, or who counts in a ranking, would tell of others. Of means, where others are in them, students read nothing.
   */
  readonly isStudents: boolean;
};

/**
 * A total is contested itself or as the sum of question marks; one that staff have entered says nothing of the marks beneath, whether they are
 * contested or above their maximum. A rank, score or grade may be overridden; `changed`: with the totals of now it would be another.
 */
export const FLAGS: Readonly<Record<Flag, Words>> = {
  contested: {
    sign: '?',
    short: 'several values',
    text: 'The total has several values, and nobody has decided which counts.',
    isStudents: true,
  },
  'contested-mark': {
    sign: '?',
    short: 'several values',
    text: 'The mark has several values, and nobody has decided which counts.',
    isStudents: true,
  },
  'contested-attendance': {
    sign: '?',
    short: 'attendance contested',
    text: 'Whether it was sat is contested, and nobody has decided.',
    isStudents: true,
  },
  'above-maximum': { sign: '!', short: 'above the maximum', text: 'The total, or a mark of it, is above the maximum.', isStudents: true },
  overridden: { sign: '*', short: 'overridden', text: 'The subject leader decided otherwise than computed.', isStudents: true },
  changed: { sign: '*', short: 'changed since the ranking', text: 'A total has changed since the ranking.', isStudents: false },
  left: { sign: '*', short: 'left', text: 'No longer on roll.', isStudents: false },
};

/** None where a figure has none. */
export type Flags = readonly Flag[] | undefined;

type Mark = { readonly mark: number | null; readonly max: number | null; readonly isContested: boolean };
/** Of a question's mark. */
export const markFlags = ({ mark, max, isContested }: Mark): readonly MarkFlag[] => [
  ...(isContested ? (['contested-mark'] as const) : []),
  ...(mark !== null && max !== null && mark > max ? (['above-maximum'] as const) : []),
];

/** The same, as an answer has it: left out where nothing is open. */
export const ifMarkFlagged = (mark: Mark): { readonly flags?: readonly MarkFlag[] } => {
  const flags = markFlags(mark);
  return flags.length > 0 ? { flags } : {};
};

export const isContested = (flags: Flags): boolean => (flags ?? []).some((flag) => FLAGS[flag].sign === '?');

/** '35 ?' */
export const withSigns = (figure: string, flags: Flags): string =>
  [figure, [...new Set((flags ?? []).map((flag) => FLAGS[flag].sign))].join('')].filter((part) => part !== '').join(' ');

/** 'several values, above the maximum'; '' if there is none. */
export const flagsShort = (flags: Flags): string => (flags ?? []).map((flag) => FLAGS[flag].short).join(', ');

/** '? The total has several values, ...': a line for each, once. */
export const footnotes = (flags: Flags): readonly string[] => [...new Set(flags)].map((flag) => `${FLAGS[flag].sign} ${FLAGS[flag].text}`);

/** Of a mean: how many of the totals or marks that it rests on are contested, or above their maximum of now. */
export type Open = { readonly contested: number; readonly aboveMaximum: number };

/** The flags of a figure that rests on such marks or totals. */
export const openFlags = (open: Open | undefined | null): readonly Flag[] => [
  ...(open && open.contested > 0 ? (['contested-mark'] as const) : []),
  ...(open && open.aboveMaximum > 0 ? (['above-maximum'] as const) : []),
];

/** '2 contested, 1 above the maximum'; '' where nothing is open. */
export const openText = (open: Open | undefined): string =>
  [
    ...(open && open.contested > 0 ? [`${open.contested} contested`] : []),
    ...(open && open.aboveMaximum > 0 ? [`${open.aboveMaximum} above the maximum`] : []),
  ].join(', ');

/** Right after a mean: ' (2 contested)'. */
export const openBeside = (open: Open | undefined): string => (open ? ` (${openText(open)})` : '');
