import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { Logo } from './header/Logo.tsx';
import { Footer } from '../site/Footer.tsx';
import styles from './Card.module.css';

type CardProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A page with one task, on a card that looks like exam paper: the log-in, and what comes before it. */
export const Card = ({ title, lead, wide = false, children }: CardProps) => {
  useEffect(() => {
    document.title = `${title} · Marktrail`;
  }, [title]);
  return (
    <>
      <main className={styles.page}>
        <div className={wide ? `${styles.card} ${styles.wide}` : styles.card}>
          <p className={`large ${styles.product}`}>
            <Link to="/" className="line gap-3">
              <Logo size={36} /> Marktrail
            </Link>
          </p>
          <h1>{title}</h1>
          {lead && <p className={`muted ${styles.lead}`}>{lead}</p>}
          {children}
        </div>
      </main>
      <Footer />
    </>
  );
};

export const formClass = `stack gap-4 ${styles.form}`;

/** Links to other pages from here. */
export const Below = ({ children }: { readonly children: ReactNode }) => <nav className={`row gap-4 ${styles.below}`}>{children}</nav>;
