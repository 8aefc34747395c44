import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { Logo } from './header/Logo.tsx';
import { Footer } from '../site/Footer.tsx';
import styles from './Card.module.css';

type SheetProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A page of the front door: a sheet of exam paper with one task on it. */
export const Sheet = ({ title, lead, wide = false, children }: SheetProps) => {
  useEffect(() => {
    document.title = `${title} · Marktrail`;
  }, [title]);
  return (
    <>
      <main className={styles.page}>
        <div className={wide ? `${styles.sheet} ${styles.wide}` : styles.sheet}>
          <p className={styles.product}>
            <Link to="/">
              <Logo size={36} /> Marktrail
            </Link>
          </p>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
          {children}
        </div>
      </main>
      <Footer />
    </>
  );
};

export const formClass = styles.form;

/** Links to other pages from here. */
export const Below = ({ children }: { readonly children: ReactNode }) => <nav className={styles.below}>{children}</nav>;
