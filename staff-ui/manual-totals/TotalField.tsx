import type { KeyboardEvent } from 'react';
import { useId } from 'react';
import styles from './TotalsForm.module.css';

type TotalFieldProps = {
  readonly name: string;
  readonly max: number;
  readonly value: string;
  readonly changed: boolean;
  readonly note: string | undefined;
  readonly error: string | undefined;
  readonly onType: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
};

export const TotalField = ({ name, max, value, changed, note, error, onType, onKeyDown }: TotalFieldProps) => {
  const id = useId();
  return (
    <div className={styles.field} data-changed={changed || undefined}>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-about`}
        onChange={(event) => onType(event.target.value)}
        // React calls no change what leaves the text as it was, such as the same digit typed over it.
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.select()}
      />
      <span className={styles.max}>of {max}</span>
      <span id={`${id}-about`} className={error ? styles.error : styles.note}>
        {error ?? note}
      </span>
    </div>
  );
};
