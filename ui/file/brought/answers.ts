import type { Away } from '#api/contract/attendance';
import type { Layout } from '../layout/target.ts';

/** What a word in place of a mark means. */
export type Meaning = Away | 'blank' | '0';
/** `alone`: the row says nothing else of that test. Beside other marks a word cannot mean that somebody was away. */
export type Word = { readonly text: string; readonly alone: boolean; readonly count: number };
export const wordKey = ({ text, alone }: Pick<Word, 'text' | 'alone'>): string => `${alone ? 'alone' : 'beside'} ${text.toLowerCase()}`;

/** What the author of a file has answered about it. */
export type Answers = {
  /** which column is which; undefined: as guessed */
  readonly layout?: Layout | undefined;
  /** The file is to be read by that layout. */
  readonly isMapped: boolean;
  /** by `wordKey` */
  readonly words: Readonly<Record<string, Meaning>>;
  /** The file is to be stored without the rows that are refused. */
  readonly leavesOut: boolean;
};
export const unanswered: Answers = { isMapped: false, words: {}, leavesOut: false };

/** In place of a StudentID that a file does not hold. */
export const lineAsId = (line: number): string => `line ${line}`;
