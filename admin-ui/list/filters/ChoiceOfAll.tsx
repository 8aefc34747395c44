import type { RaRecord } from 'react-admin';
import { useListContext } from 'react-admin';
import { Choice } from './Choice.tsx';

/** Chooses all records of the current page, or none. */
export const ChoiceOfAll = () => {
  const { data = [], selectedIds, onSelect } = useListContext<RaRecord<string>>();
  const here = data.map(({ id }) => id);
  const isAll = here.length > 0 && here.every((id) => selectedIds.includes(id));
  const others = selectedIds.filter((id) => !here.includes(id));
  return <Choice label="Choose all on this page" checked={isAll} onChange={() => onSelect(isAll ? others : [...others, ...here])} />;
};
