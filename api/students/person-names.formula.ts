/** Names as people bring them, in a file or a paste: whether one may be a student's, and what an encoding has done to it. */

/**
 * Whether a name in a file may be this student's: the same parts in any order, whatever their case, accents and punctuation. A row without a
 * name says nothing against it, and letters that an encoding has lost may be any.
 */
export const fitsName = (inFile: string, ours: string): boolean => {
  const ourParts = namePartsOf(ours);
  return [inFile, repaired(inFile)].map(namePartsOf).some((theirs) => {
    if (theirs.length === 0 || ourParts.length === 0) return true;
    return LOST.test(theirs.join(' ')) ? fitsLost(theirs, ourParts) : sameParts(theirs, ourParts) || sameLetters(theirs, ourParts);
  });
};

/** 'O’Brien-Łoś, Anaïs' -> obrien, los, anais */
export const namePartsOf = (name: string): readonly string[] =>
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
  const turned = new Set(turnsOf(one));
  return turnsOf(other).some((letters) => turned.has(letters));
};
/** The letters of a name, beginning with each of its parts: the first name or the last name first. */
export const turnsOf = (parts: readonly string[]): readonly string[] =>
  parts.map((_, from) => [...parts.slice(from), ...parts.slice(0, from)].join(''));

/**
 * Whether a name may be this one though it has a part more or less (a second first name, a second surname), or initials in place of parts.
 * At least one part of two letters or more is the same.
 */
export const isNearName = (inFile: string, ours: string): boolean => {
  const [theirs, ourParts] = [namePartsOf(inFile), namePartsOf(ours)];
  const [fewer, more] = theirs.length <= ourParts.length ? [theirs, [...ourParts]] : [ourParts, [...theirs]];
  const fits = (one: string, other: string): boolean =>
    one === other || (one.length === 1 && other.startsWith(one)) || (other.length === 1 && one.startsWith(other));
  const sharesPart = theirs.some((part) => part.length > 1 && ourParts.includes(part));
  return (
    fewer.length > 1 &&
    sharesPart &&
    fewer.every((part) => {
      const at = more.includes(part) ? more.indexOf(part) : more.findIndex((other) => fits(part, other));
      if (at >= 0) more.splice(at, 1);
      return at >= 0;
    })
  );
};

/** Whether letters of a name are lost, so that several names may fit it. */
export const isWithLostLetters = (name: string): boolean => LOST.test(namePartsOf(name).join(' '));

/** Lost letters: U+FFFD, or the question mark by which Excel replaces what its encoding does not have. */
const LOST = /[\ufffd?]/;

const fitsLost = (theirs: readonly string[], ourParts: readonly string[]): boolean => {
  const left = [...ourParts];
  const sorted = theirs.toSorted((a, b) => Number(LOST.test(a)) - Number(LOST.test(b)));
  return (
    theirs.length === ourParts.length &&
    sorted.every((part) => {
      const at = left.findIndex((one) => mayBe(part, one));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    })
  );
};

/** Whether a part may be this one, if each lost letter stands for up to two. By places: an expression could take exponential time. */
const mayBe = (part: string, ourPart: string): boolean => {
  let places = new Set([0]);
  for (const letter of part) {
    places = new Set(
      [...places].flatMap((at) => (LOST.test(letter) ? [at, at + 1, at + 2] : ourPart.startsWith(letter, at) ? [at + letter.length] : [])),
    );
  }
  return places.has(ourPart.length);
};

/** Whether a name shows the traces of a wrong encoding: a lost letter, or UTF-8 that was read as Windows-1252 (JosÃ©). */
export const isGarbled = (name: string): boolean => /\ufffd|\p{L}\?|\?\p{L}/u.test(name) || repaired(name) !== name;

/** The upper half of Windows-1252, as TextDecoder reads it. */
const HIGH = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index));
const byteOf = (letter: string): number => 0x80 + HIGH.indexOf(letter);
const [CONTINUES, LEADS] = [HIGH.slice(0, 0x40), HIGH.slice(0x42, 0x75)];
const SEQUENCE = new RegExp(`[${LEADS}][${CONTINUES}]{1,3}`, 'gu');

/** 'JosÃ©' -> 'José'. Text of another kind stays as it is. */
export const repaired = (text: string): string =>
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
