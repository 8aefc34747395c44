import { useListContext } from 'react-admin';

/** The search text of a list ('': none), and how to change it. */
export const useSearch = (): { readonly words: string; readonly search: (words: string) => void } => {
  const list = useListContext();
  const filter = list.filterValues as Readonly<Record<string, unknown>>;
  const { q, ...others } = filter;
  return {
    words: typeof q === 'string' ? q : '',
    search: (words) => list.setFilters(words === '' ? others : { ...others, q: words }),
  };
};
