/** The text of a uuid in lower case, of any version: a regular expression's part, without a group. */
export const UUID_TEXT = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const WHOLE = new RegExp(`^${UUID_TEXT}$`);

/** Whether a text is a uuid in lower case, as ids of schools, people and things are. */
export const isUuid = (text: string): boolean => WHOLE.test(text);

/**
 * Writes the sixteen bytes of `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, in upper or lower case; false if the text is not a uuid. Digit by
 * digit, because a text without the dashes would be a string more for each of the millions of ids in a rebuild.
 */
export const writeUuid = (text: string, into: Uint8Array, from: number): boolean => {
  if (text.length !== 36) return false;
  let end = from;
  let seen = 0;
  for (let at = 0; at < 36; at += 2) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at++;
    const high = text.charCodeAt(at);
    const low = text.charCodeAt(at + 1);
    const byte = (DIGITS[high & 0xff]! << 4) | DIGITS[low & 0xff]!;
    seen |= byte | high | low;
    into[end++] = byte;
  }
  return seen <= 0xff;
};

/** The value of each hexadecimal digit by its character code; a value above a byte for any other character. */
const DIGITS = Int32Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 0x100 : digit;
});
