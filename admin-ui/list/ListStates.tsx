import type { ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { useListContext } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useSearch } from './useSearch.ts';

type ListStatesProps = {
  readonly empty: ReactNode;
  /** Something is being edited in the list: it stays, whatever others take out of it. */
  readonly isHeld?: boolean;
  readonly children: ReactNode;
};

/** A list's content, or what stands in its place: still loading, failed, nothing found, nothing there yet. */
export const ListStates = ({ empty, isHeld = false, children }: ListStatesProps) => {
  const { data, isPending, error, total, refetch, ...list } = useListContext<RaRecord>();
  const { words } = useSearch();
  // What was loaded before stays, with whatever is open in it.
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={6} />;
  if (isHeld) return children;
  if (total === 0 && words !== '') return <EmptyState title={`Nothing is called “${words}”`}>Try a part of the name.</EmptyState>;
  if (total === 0 && isFiltered(list.filterValues as object))
    return <EmptyState title="Nothing is like that">Choose All in a filter above.</EmptyState>;
  return total === 0 ? empty : children;
};

const isFiltered = (filter: object): boolean => Object.keys(filter).length > 0;
