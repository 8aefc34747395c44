import type { ReactNode } from 'react';
import { useFocusStays } from '../../ui/controls/useFocusStays.ts';
import styles from './Cards.module.css';

/** When a card goes, its neighbours get the focus that it had. */
export const Cards = ({ children }: { readonly children: ReactNode }) => (
  <ul ref={useFocusStays<HTMLUListElement>()} tabIndex={-1} className={styles.cards}>
    {children}
  </ul>
);

type CardProps = {
  readonly title: string;
  /** A few words each: '3 sets'. */
  readonly facts: readonly string[];
  readonly buttons: ReactNode;
};

/** A card for a record: its name, facts and actions. */
export const Card = ({ title, facts, buttons }: CardProps) => (
  <li className={`stack box ${styles.card}`}>
    <h2 className="breaks">{title}</h2>
    <ul className={`row muted ${styles.facts}`}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
    <div className="row">{buttons}</div>
  </li>
);
