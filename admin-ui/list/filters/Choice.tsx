import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import styles from './Choice.module.css';
import type { RaRecord } from 'react-admin';
import { useListContext } from 'react-admin';

type ChoiceProps = { readonly label: string; readonly checked: boolean; readonly onChange: () => void };

/** A check box that chooses a record, or all of a page. */
export const Choice = ({ label, checked, onChange }: ChoiceProps) => (
  <Changes>
    <input className={styles.box} type="checkbox" aria-label={label} checked={checked} onChange={onChange} />
  </Changes>
);

/** Chooses all records of the current page, or none. */
export const ChoiceOfAll = () => {
  const { data = [], selectedIds, onSelect } = useListContext<RaRecord<string>>();
  const here = data.map(({ id }) => id);
  const isAll = here.length > 0 && here.every((id) => selectedIds.includes(id));
  const others = selectedIds.filter((id) => !here.includes(id));
  return <Choice label="Choose all on this page" checked={isAll} onChange={() => onSelect(isAll ? others : [...others, ...here])} />;
};
