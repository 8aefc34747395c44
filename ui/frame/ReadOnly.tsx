import type { ReactNode } from 'react';
import { createContext, use } from 'react';
import styles from './ReadOnly.module.css';

/** Whether the page is only read: by an auditor, or as of an earlier moment. The server refuses every change all the same. */
export const ReadOnly = createContext(false);
export const useReadOnly = (): boolean => use(ReadOnly);

/** What changes something: not there where the page is only read. */
export const Changes = ({ children }: { readonly children: ReactNode }) => (useReadOnly() ? null : children);

/** Fields that show what is stored, and take nothing where the page is only read. */
export const Fields = ({ children }: { readonly children: ReactNode }) => (
  <fieldset className={styles.fields} disabled={useReadOnly()}>
    {children}
  </fieldset>
);
