/**
 * The text of a file that a spreadsheet wrote: UTF-16, which Excel calls Unicode Text; UTF-8 with or without a byte order mark; else one of
 * the encodings of before Unicode, of which the likeliest is taken unless the reader says which. Text in one of those is practically never
 * valid UTF-8 by chance. Line breaks of all kinds become `\n`.
 *
 * Anything with control characters (a workbook, a picture) is refused.
 */
export const decodeText = (bytes: Uint8Array, chosen?: Encoding): Decoded => {
  const utf16 = utf16Of(bytes);
  if (utf16) return decoded(bytes, utf16);
  const nul = bytes.indexOf(0);
  if (nul >= 0) return bytes.some((code) => code !== 0 && isControl(code)) ? { ok: false } : { ok: false, nul: lineAt(bytes, nul) };
  if (bytes.some(isControl)) return { ok: false };
  if (chosen) return decoded(bytes, chosen);
  const unicode = decoded(bytes, 'utf-8');
  return unicode.ok ? unicode : decoded(bytes, likeliest(bytes));
};

/** `nul`: the line with the first NUL byte of what is a text otherwise, from 1. */
export type Decoded =
  | { readonly ok: true; readonly text: string; readonly encoding: Encoding | Unicode }
  | { readonly ok: false; readonly nul?: number };
type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encodings of before Unicode in which schools' files come, the commonest first. */
export const encodings = {
  'windows-1252': 'Western European (Windows)',
  macintosh: 'Western European (Mac)',
  'windows-1250': 'Central European (Windows)',
  'iso-8859-2': 'Central European (ISO)',
  'windows-1251': 'Cyrillic (Windows)',
  'koi8-u': 'Cyrillic (KOI8)',
  'windows-1253': 'Greek (Windows)',
  'windows-1254': 'Turkish (Windows)',
  'windows-1255': 'Hebrew (Windows)',
  'windows-1256': 'Arabic (Windows)',
  'windows-1257': 'Baltic (Windows)',
  'windows-1258': 'Vietnamese (Windows)',
  gb18030: 'Chinese, simplified (GB)',
  big5: 'Chinese, traditional (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC)',
} as const;
export type Encoding = keyof typeof encodings;

/** By its byte order mark, or because every other byte of its beginning is 0. */
const utf16Of = (bytes: Uint8Array): Unicode | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 64);
  const zeros = [0, 1].map((rest) => head.length > 7 && head.every((code, at) => at % 2 !== rest || code === 0));
  return zeros[1] ? 'utf-16le' : zeros[0] ? 'utf-16be' : undefined;
};

const decoded = (bytes: Uint8Array, encoding: Encoding | Unicode): Decoded => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
    // Bytes without a character come out as C1 controls.
    return CONTROL.test(text) ? { ok: false } : { ok: true, text, encoding };
  } catch {
    return { ok: false };
  }
};

/** Below the space, except tab and line breaks. */
const isControl = (code: number): boolean => code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u0080-\u009f]/;

const lineAt = (bytes: Uint8Array, place: number): number => {
  const before = new TextDecoder('windows-1252').decode(bytes.subarray(0, place));
  return before.split(/\r\n?|\n/).length;
};

/** Languages of small alphabets and one script each, whose words a wrong encoding makes odd; those of thousands of signs always look well. */
const GUESSED: readonly Encoding[] = [
  'windows-1252',
  'macintosh',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
];

/** The one in which the words that are not plain look least odd; of several the first. */
const likeliest = (bytes: Uint8Array): Encoding => {
  const part = bytes.subarray(0, 100_000);
  const odd = GUESSED.map((encoding) => {
    const read = decoded(part, encoding);
    return { encoding, oddities: read.ok ? odditiesOf(read.text) : Infinity };
  });
  return odd.reduce((best, one) => (one.oddities < best.oddities ? one : best)).encoding;
};

/** Letters of two scripts in a word, a capital after a small letter, signs within or before a word, nothing but accents. */
const odditiesOf = (text: string): number => {
  let oddities = 0;
  for (const [word] of text.matchAll(/[^\s,;"()-]*[^\0-\x7f][^\s,;"()-]*/gu)) {
    const scripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u, /\p{Script=Hebrew}/u];
    oddities += Math.max(0, scripts.filter((script) => script.test(word)).length - 1) * 2;
    oddities += (word.match(/\p{Ll}\p{Lu}/gu) ?? []).length;
    oddities += (word.match(/[^\p{L}\p{M}\p{N}.'’‘`´–€/:]/gu) ?? []).length * 2;
    oddities += /^\p{Ll}/u.test(word) ? 1 : 0;
    const accented = (word.match(/[\u00c0-\u024f]/gu) ?? []).length;
    oddities += accented * 2 > word.length && word.length > 2 ? accented : 0;
  }
  return oddities;
};
