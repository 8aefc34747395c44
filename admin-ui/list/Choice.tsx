import styles from './Choice.module.css';

type ChoiceProps = { readonly label: string; readonly checked: boolean; readonly onChange: () => void };

/** The box by which a record, or all of a page, is chosen. */
export const Choice = ({ label, checked, onChange }: ChoiceProps) => (
  <input className={styles.box} type="checkbox" aria-label={label} checked={checked} onChange={onChange} />
);
