import type { ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { useListContext } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useSearch } from './filters/SearchBox.tsx';

type ListStatesProps = {
  readonly empty: ReactNode;
  /** Where else to look for what was not found. */
  readonly elsewhere?: (words: string) => ReactNode;
  /** The list holds unsaved input and stays, whatever others remove from it. */
  readonly isHeld?: boolean;
  readonly children: ReactNode;
};

/** The content of a list, or its state: loading, failed, nothing found, empty. */
export const ListStates = ({ empty, elsewhere, isHeld = false, children }: ListStatesProps) => {
  const { data, isPending, error, total, refetch, ...list } = useListContext<RaRecord>();
  const { words } = useSearch();
  // Content already loaded stays, with any open form.
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={6} />;
  if (isHeld) return children;
  if (total === 0 && words !== '')
    return <EmptyState title={`Nothing is called “${words}”`}>Try a part of the name. {elsewhere?.(words)}</EmptyState>;
  if (total === 0 && isFiltered(list.filterValues as object))
    return <EmptyState title="Nothing matches the filters">Choose All in a filter above, or untick it.</EmptyState>;
  return total === 0 ? empty : children;
};

const isFiltered = (filter: object): boolean => Object.keys(filter).length > 0;
