/**
 * SQL for a text as people type it into a search: in small letters, without accents, with straight apostrophes: O’Brien-Łoś is o'brien-los.
 * `text`: an SQL expression, never input from a request.
 */
export const plainText = (text: string): string =>
  `translate(regexp_replace(normalize(lower(${text}), NFKD), '[\\u0300-\\u036f]', '', 'g'), 'øłđðı’‘ʼ', 'olddi''''''')`;
