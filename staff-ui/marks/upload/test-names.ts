/** Quiz: Algebra test (Real) -> quiz algebra test real */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a heading of another system names an assessment. */
export const isNameOfTest = (heading: string, { name }: { readonly name: string }): boolean => {
  const words = plain(name);
  return words !== '' && ` ${plain(heading)} `.includes(` ${words} `);
};
