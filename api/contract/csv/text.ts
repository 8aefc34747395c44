/**
 * The text of a file that a spreadsheet wrote: UTF-16 with its byte order mark, which Excel calls Unicode Text; UTF-8 with or without one;
 * else Windows-1252, which Excel writes in western Europe. Text in another encoding is practically never valid UTF-8 by chance, so the
 * first encoding that fits is the right one. Line breaks of all kinds become `\n`.
 *
 * Anything with control characters (a workbook, a picture) is refused.
 */
export const decodeText = (bytes: Uint8Array): Decoded => {
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeUtf16(bytes, utf16);
  if (bytes.some(isControl)) return { ok: false };
  try {
    return { ok: true, text: oneKindOfBreak(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), encoding: 'utf-8' };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    // Five bytes have no character in Windows-1252; they come out as C1 controls.
    return /[\u0080-\u009f]/.test(text) ? { ok: false } : { ok: true, text: oneKindOfBreak(text), encoding: 'windows-1252' };
  }
};

type Decoded = { ok: true; text: string; encoding: 'utf-8' | 'windows-1252' | Utf16 } | { ok: false };
type Utf16 = 'utf-16le' | 'utf-16be';

/** By its byte order mark. */
const utf16Of = ([first, second]: Uint8Array): Utf16 | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

const decodeUtf16 = (bytes: Uint8Array, encoding: Utf16): Decoded => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return [...text].some((character) => isControl(character.charCodeAt(0)))
      ? { ok: false }
      : { ok: true, text: oneKindOfBreak(text), encoding };
  } catch {
    return { ok: false };
  }
};

/** Below the space, except tab and line breaks. */
const isControl = (code: number): boolean => code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;

const oneKindOfBreak = (text: string): string => text.replace(/\r\n?/g, '\n');
