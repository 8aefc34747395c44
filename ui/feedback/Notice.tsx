import type { ReactNode } from 'react';
import styles from './Notice.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

type NoticeProps = {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Screen readers have announced it already: it has only moved here. */
  readonly isAnnounced?: boolean;
};

/** Says what happened and what to do, at the place it concerns. Errors are announced at once (role alert), everything else politely. */
export const Notice = ({ tone = 'plain', title, children, actions, isAnnounced = false }: NoticeProps) => (
  <div className={`row top ${styles.notice} ${styles[tone]}`} role={isAnnounced ? undefined : tone === 'bad' ? 'alert' : 'status'}>
    <Sign tone={tone} />
    <div className={`stack gap-1 ${styles.text}`}>
      {title && <p className={`strong ${styles.title}`}>{title}</p>}
      {children}
    </div>
    {actions && <div className={`row ${styles.actions}`}>{actions}</div>}
  </div>
);

const Sign = ({ tone }: { readonly tone: Tone }) => (
  <svg className={styles.sign} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    {tone === 'good' && <path d="M3 8.5 6.5 12 13 4.5" fill="none" stroke="currentColor" strokeWidth="2" />}
    {tone === 'bad' && <path d="M8 1.5 15 14H1zM8 6v3.5m0 1.2v1.6" fill="none" stroke="currentColor" strokeWidth="1.6" />}
    {tone === 'warn' && <path d="M8 3v6m0 2.4v1.8" fill="none" stroke="currentColor" strokeWidth="2" />}
    {tone === 'plain' && <path d="M8 7v6M8 3v1.8" fill="none" stroke="currentColor" strokeWidth="2" />}
  </svg>
);
