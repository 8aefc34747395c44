import styles from './Chips.module.css';

export type ChipItem = { readonly id: string; readonly name: string; readonly note?: string };

export type ChipsProps = {
  readonly label: string;
  readonly items: readonly ChipItem[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  /** Never wraps, even on wide windows. */
  readonly oneLine?: boolean;
};

/** Chooses one of several, in a bar that scrolls sideways. Radio buttons in behaviour and for screen readers. */
export const Chips = ({ label, items, chosen, onChoose, oneLine = false }: ChipsProps) => (
  <fieldset className={oneLine ? `${styles.bar} ${styles.oneLine}` : styles.bar}>
    <legend className="sr">{label}</legend>
    {items.map(({ id, name, note }) => (
      <label key={id} className={styles.chip} ref={id === chosen ? scrollIntoBar : undefined}>
        <input type="radio" name={label} checked={id === chosen} onChange={() => onChoose(id)} />
        <span>
          {name}
          {note && <small> {note}</small>}
        </span>
      </label>
    ))}
  </fieldset>
);

/** px that the arrows beside a bar may take from it yet. */
const ARROWS = 48;

export const scrollIntoBar = (chip: HTMLElement | null) => {
  const bar = chip?.parentElement;
  if (!chip || !bar) return;
  const [from, to] = [bar.scrollLeft + ARROWS, bar.scrollLeft + bar.clientWidth - ARROWS];
  if (chip.offsetLeft < from || chip.offsetLeft + chip.offsetWidth > to) {
    bar.scrollLeft = chip.offsetLeft - bar.clientWidth / 2 + chip.offsetWidth / 2;
  }
};
