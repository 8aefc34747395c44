/**
 * The text of a file that a spreadsheet wrote: UTF-8 with or without a byte order mark, else Windows-1252, which Excel writes in western
 * Europe. Bytes that are not valid UTF-8 by chance are as good as never valid, so the first answer that fits is the right one.
 * Line breaks of all kinds become `\n`.
 *
 * Anything with control characters (a workbook, a picture, UTF-16) is no text.
 */
export const decodeText = (bytes: Uint8Array): { ok: true; text: string; encoding: 'utf-8' | 'windows-1252' } | { ok: false } => {
  if (bytes.some(isControl)) return { ok: false };
  try {
    return { ok: true, text: oneKindOfBreak(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), encoding: 'utf-8' };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    // Five bytes have no character in Windows-1252; they come out as C1 controls.
    return /[\u0080-\u009f]/.test(text) ? { ok: false } : { ok: true, text: oneKindOfBreak(text), encoding: 'windows-1252' };
  }
};

/** Below the space, but for tab and line breaks. */
const isControl = (byte: number): boolean => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d;

const oneKindOfBreak = (text: string): string => text.replace(/\r\n?/g, '\n');
