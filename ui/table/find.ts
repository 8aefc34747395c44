import { unaccented } from '#api/contract/names';

/** Whether each word of a search is part of a text. Ignores accents and case: 'fernandez' finds Fernández. */
export const isFound = (text: string, search: string): boolean => {
  const all = unaccented(text);
  return unaccented(search)
    .split(/\s+/u)
    .every((word) => all.includes(word));
};
