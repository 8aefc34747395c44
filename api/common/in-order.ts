/**
 * SQL for sorting names as people expect: by letters in any language, ignoring case, É next to E, and numbers by value, 11X2 before 11X10.
 * `text`: an SQL expression, never input from a request.
 */
export const inOrder = (text: string): string => `${numbersPadded(`lower(${text})`)} collate "und-x-icu"`;

/** Every number with ten digits, so that texts sort by them. */
const numbersPadded = (text: string): string =>
  `regexp_replace(regexp_replace(${text}, '(\\d+)', '0000000000\\1', 'g'), '0*(\\d{10})(?!\\d)', '\\1', 'g')`;
