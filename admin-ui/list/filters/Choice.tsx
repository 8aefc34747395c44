import styles from './Choice.module.css';

type ChoiceProps = { readonly label: string; readonly checked: boolean; readonly onChange: () => void };

/** A check box that chooses a record, or all of a page. */
export const Choice = ({ label, checked, onChange }: ChoiceProps) => (
  <input className={styles.box} type="checkbox" aria-label={label} checked={checked} onChange={onChange} />
);
