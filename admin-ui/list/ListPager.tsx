import { useListPaginationContext } from 'react-admin';
import { Pager } from '../../ui/table/Pager.tsx';

/** The product's pager for a react-admin list; `of`: what the records are, 'students'. */
export const ListPager = ({ of }: { readonly of: string }) => {
  const { page, perPage, total = 0, setPage } = useListPaginationContext();
  return <Pager page={page - 1} size={perPage} count={total} onPage={(next) => setPage(next + 1)} of={of} />;
};
