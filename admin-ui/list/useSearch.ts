import { useListContext } from 'react-admin';

/** The words that a list is searched for, and how to change them; '': for none. */
export const useSearch = (): { readonly words: string; readonly search: (words: string) => void } => {
  const list = useListContext();
  const filter = list.filterValues as Readonly<Record<string, unknown>>;
  const { q, ...others } = filter;
  return {
    words: typeof q === 'string' ? q : '',
    search: (words) => list.setFilters(words === '' ? others : { ...others, q: words }),
  };
};
