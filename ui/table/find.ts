/** Whether each word of a search is part of a text. Ignores accents and case: 'fernandez' finds Fernández. */
export const isFound = (text: string, search: string): boolean => {
  const all = plain(text);
  return plain(search)
    .split(/\s+/u)
    .every((word) => all.includes(word));
};

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
