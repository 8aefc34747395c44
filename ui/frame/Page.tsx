import type { ReactNode } from 'react';
import { useEffect } from 'react';
import styles from './Page.module.css';

type PageProps = {
  /** Page heading, and the window's title. */
  readonly title: string;
  readonly sub?: ReactNode;
  /** Top right: one primary action, the rest quieter. */
  readonly actions?: ReactNode;
  /** All of the window is needed for what it shows, and no more: the heading is for screen readers, and there is no margin. */
  readonly isTight?: boolean;
  readonly children: ReactNode;
};

export const Page = ({ title, sub, actions, isTight = false, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Marktrail`;
  }, [title]);
  if (isTight)
    return (
      <div className={styles.tight} data-tight>
        <h1 className="sr">{title}</h1>
        {children}
      </div>
    );
  return (
    <>
      <header className={`row top apart ${styles.head}`}>
        <div>
          <h1>{title}</h1>
          {sub && <div className={`muted ${styles.sub}`}>{sub}</div>}
        </div>
        {actions && <div className={`row ${styles.actions}`}>{actions}</div>}
      </header>
      {children}
    </>
  );
};

export const Section = ({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className={styles.section} aria-label={title}>
    <header className="row baseline apart">
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);
