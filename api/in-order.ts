/**
 * SQL of the order in which people look for names: by their letters in any language and not by their capitals, É beside E, and by the numbers
 * in them, 11X2 before 11X10. `text`: an SQL expression, nothing that came with a request.
 */
export const inOrder = (text: string): string => `${numbersPadded(`lower(${text})`)} collate "und-x-icu"`;

/** Every number with ten digits, so that texts sort by them. */
const numbersPadded = (text: string): string =>
  `regexp_replace(regexp_replace(${text}, '(\\d+)', '0000000000\\1', 'g'), '0*(\\d{10})(?!\\d)', '\\1', 'g')`;
