/** What looks wrong about the students of a file: names that do not fit their StudentIDs, garbled names, damaged IDs. Refuses nothing. */
import { CASES_SHOWN } from './plausible.contract.ts';
import type { IdDamage, StudentDoubts } from './plausible.contract.ts';
import { admissionKey } from './students.facts.ts';

/** A row of a file, or a student. */
export type Named = { readonly admissionNo: string; readonly name: string };

type Rows = {
  /** The rows of students whom we know, each with its student, and whether anything of it would be stored. */
  readonly known: readonly { readonly row: Named; readonly student: Named; readonly isStored: boolean }[];
  /** The rows whose StudentID is nobody's. */
  readonly unknown: readonly Named[];
  /** Students whom an unknown row may mean. Those whom another row of the file names are left out. */
  readonly candidates: readonly Named[];
};

/** As previews have it. */
export const asPart = <Doubts extends object>(doubts: Doubts): { readonly doubts?: Doubts } =>
  Object.keys(doubts).length > 0 ? { doubts } : {};

/** Counts of each kind, and the first cases of it; a kind without a case is absent. */
export const studentDoubts = ({ known, unknown, candidates }: Rows): StudentDoubts => {
  const named = new Set(known.map(({ student }) => admissionKey(student.admissionNo)));
  const ids = new Ids(candidates.filter(({ admissionNo }) => !named.has(admissionKey(admissionNo))));
  const names = cases(
    known.flatMap(({ row, student, isStored }) =>
      !isStored || fitsName(row.name, student.name) ? [] : [{ admissionNo: student.admissionNo, inFile: row.name, ours: student.name }],
    ),
  );
  const garbled = cases(
    [...known.map(({ row }) => row), ...unknown].flatMap(({ admissionNo, name }) =>
      isGarbled(name) ? [{ admissionNo: shownId(admissionNo), inFile: name }] : [],
    ),
  );
  const damaged = cases(unknown.flatMap((row) => ids.damageOf(row) ?? []));
  return { ...(names && { names }), ...(garbled && { garbled }), ...(damaged && { ids: damaged }) };
};

/** Cases of a kind as answers have them; undefined: there is none. */
export const cases = <Case>(all: readonly Case[]): { readonly count: number; readonly first: readonly Case[] } | undefined =>
  all.length === 0 ? undefined : { count: all.length, first: all.slice(0, CASES_SHOWN) };

/* Names */

/**
 * Whether a name in a file may be this student's: the same parts in any order, whatever their case, accents and punctuation. A row without a
 * name says nothing against it, and letters that an encoding has lost may be any.
 */
export const fitsName = (inFile: string, ours: string): boolean => {
  const own = partsOf(ours);
  return [inFile, repaired(inFile)].map(partsOf).some((theirs) => {
    if (theirs.length === 0 || own.length === 0) return true;
    return LOST.test(theirs.join(' ')) ? fitsLost(theirs, own) : sameParts(theirs, own) || sameLetters(theirs, own);
  });
};

/** 'O’Brien-Łoś, Anaïs' -> obrien, los, anais */
const partsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}'’‘ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .split(/[^\p{L}\p{N}\ufffd?]+/u)
    .filter((part) => /[\p{L}\p{N}\ufffd]/u.test(part));

/** Letters that no normal form takes apart. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

const sameParts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.toSorted().join(' ') === other.toSorted().join(' ');

/** The same letters with other gaps, first name or last name first: O Brien and OBrien, Anne-Marie and Annemarie. */
const sameLetters = (one: readonly string[], other: readonly string[]): boolean => {
  const turned = new Set(turns(one));
  return turns(other).some((letters) => turned.has(letters));
};
const turns = (parts: readonly string[]): readonly string[] =>
  parts.map((_, from) => [...parts.slice(from), ...parts.slice(0, from)].join(''));

/** Lost letters: U+FFFD, or the question mark by which Excel replaces what its encoding does not have. */
const LOST = /[\ufffd?]/;

const fitsLost = (theirs: readonly string[], own: readonly string[]): boolean => {
  const left = [...own];
  const sorted = theirs.toSorted((a, b) => Number(LOST.test(a)) - Number(LOST.test(b)));
  return (
    theirs.length === own.length &&
    sorted.every((part) => {
      const at = left.findIndex((one) => mayBe(part, one));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    })
  );
};

/** Whether a part may be this one, if each lost letter stands for up to two. By places: an expression could take exponential time. */
const mayBe = (part: string, own: string): boolean => {
  let places = new Set([0]);
  for (const letter of part) {
    places = new Set(
      [...places].flatMap((at) => (LOST.test(letter) ? [at, at + 1, at + 2] : own.startsWith(letter, at) ? [at + letter.length] : [])),
    );
  }
  return places.has(own.length);
};

/* Encodings */

/** Whether a name shows the traces of a wrong encoding: a lost letter, or UTF-8 that was read as Windows-1252 (JosÃ©). */
export const isGarbled = (name: string): boolean => /\ufffd|\p{L}\?|\?\p{L}/u.test(name) || repaired(name) !== name;

/** The upper half of Windows-1252, as TextDecoder reads it. */
const HIGH = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index));
const byteOf = (letter: string): number => 0x80 + HIGH.indexOf(letter);
const [CONTINUES, LEADS] = [HIGH.slice(0, 0x40), HIGH.slice(0x42, 0x75)];
const SEQUENCE = new RegExp(`[${LEADS}][${CONTINUES}]{1,3}`, 'gu');

/** 'JosÃ©' -> 'José'. Text of another kind stays as it is. */
const repaired = (text: string): string =>
  text.replace(SEQUENCE, (sequence) => {
    const bytes = Uint8Array.from(sequence, byteOf);
    for (let end = bytes.length; end > 1; end--) {
      const letter = utf8(bytes.subarray(0, end));
      if (letter !== undefined && isMeant(letter, sequence.slice(0, end))) return letter + sequence.slice(end);
    }
    return sequence;
  });

const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Some honest pairs of letters are UTF-8 by chance (ÚŠ in MATÚŠ): then they are of a letter that names in Latin script do not have. */
const isMeant = (letter: string, sequence: string): boolean =>
  /^[\u00a0-\u017f\u0218-\u021b\u1e00-\u1eff\u2010-\u201f]+$/u.test(letter) || /[^\p{L}]/u.test(sequence);

/* StudentIDs */

/** Students by what is left of their StudentIDs after a damage. */
class Ids {
  readonly #students: readonly Named[];
  readonly #bare: ReadonlyMap<string, readonly Named[]>;
  readonly #numbers: ReadonlyMap<string, readonly Named[]>;
  readonly #rounded = new Map<number, ReadonlyMap<string, readonly Named[]>>();

  constructor(students: readonly Named[]) {
    this.#students = students;
    this.#bare = Map.groupBy(students, ({ admissionNo }) => bare(admissionNo));
    this.#numbers = Map.groupBy(
      students.filter(({ admissionNo }) => /^0\d+$/.test(admissionNo)),
      ({ admissionNo }) => withoutZeros(admissionNo),
    );
  }

  /** The damage of an ID that is nobody's, and whom it means; undefined: it does not look damaged. */
  damageOf({ admissionNo, name }: Named) {
    const id = admissionNo.trim();
    const found = this.#find(id);
    if (!found) return undefined;
    const byName =
      found.fitting.length > 1 && name !== '' ? found.fitting.filter((student) => fitsName(name, student.name)) : found.fitting;
    const [means, another] = byName;
    return {
      inFile: shownId(id),
      name,
      damage: found.damage,
      means: means && !another ? { admissionNo: shownId(means.admissionNo), name: means.name } : null,
    };
  }

  #find(id: string): { readonly damage: IdDamage; readonly fitting: readonly Named[] } | undefined {
    const unseen = this.#bare.get(bare(id)) ?? [];
    if (INVISIBLE.test(id)) return { damage: 'invisible', fitting: unseen };
    const ours = unseen.filter(({ admissionNo }) => INVISIBLE.test(admissionNo));
    if (ours.length > 0) return { damage: 'invisible', fitting: ours };
    if (EXPONENT.test(id)) return { damage: 'exponent', fitting: this.#exponents(id) };
    if (!/^\d+$/.test(id)) return undefined;
    const longer = (this.#numbers.get(withoutZeros(id)) ?? []).filter(({ admissionNo }) => admissionNo.length > id.length);
    return longer.length > 0 ? { damage: 'zeros', fitting: longer } : undefined;
  }

  /** Those whose number, rounded to as many digits, is the one that is written there. */
  #exponents(id: string): readonly Named[] {
    const written = id.replace(',', '.').toLowerCase();
    const digits = written.slice(0, written.indexOf('e')).replace('.', '').length - 1;
    const known =
      this.#rounded.get(digits) ??
      Map.groupBy(
        this.#students.filter(({ admissionNo }) => NUMBER.test(admissionNo)),
        ({ admissionNo }) => Number(admissionNo).toExponential(digits),
      );
    this.#rounded.set(digits, known);
    return known.get(Number(written).toExponential(digits)) ?? [];
  }
}

/** As spreadsheets write it: 1.23457E+12. */
const EXPONENT = /^\d(?:[.,]\d{1,14})?e\+\d{2,3}$/i;
/** What a spreadsheet takes for a number: 12E5 too. */
const NUMBER = /^\d{1,20}(?:e\d{1,2})?$/i;

/** What nobody sees, and every blank but the plain one. */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;

const bare = (id: string): string => admissionKey(id.replace(/[\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]+/gu, ''));
const withoutZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** 'M0001[U+200C]' */
const shownId = (id: string): string =>
  id.replace(new RegExp(INVISIBLE, 'gu'), (letter) => `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
