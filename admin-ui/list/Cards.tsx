import type { ReactNode } from 'react';
import styles from './Cards.module.css';

export const Cards = ({ children }: { readonly children: ReactNode }) => <ul className={styles.cards}>{children}</ul>;

type CardProps = {
  readonly title: string;
  /** A few words each: '3 sets'. */
  readonly facts: readonly string[];
  readonly buttons: ReactNode;
};

/** A card for a record: its name, facts and actions. */
export const Card = ({ title, facts, buttons }: CardProps) => (
  <li className={styles.card}>
    <h2>{title}</h2>
    <ul>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
    <div className={styles.buttons}>{buttons}</div>
  </li>
);
