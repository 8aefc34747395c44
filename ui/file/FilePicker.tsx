import type { ReactNode } from 'react';
import styles from './FilePicker.module.css';

type FilePickerProps = {
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  /** URL of the template; its last part is the file name. */
  readonly template: string;
  /** An Excel workbook is taken too. */
  readonly takesWorkbooks?: boolean;
  /** Shown beside the template link. */
  readonly children?: ReactNode;
};

/** Chooses a CSV file by dialog, keyboard or drop, with a link to its template. */
export const FilePicker = ({ file, onFile, template, takesWorkbooks = false, children }: FilePickerProps) => (
  <div className="stack">
    <label className={`stack gap-1 ${styles.drop}`}>
      {/* The input covers the whole field and receives drops. It keeps nothing, so that a corrected file of the same name is a change again. */}
      <input
        type="file"
        accept={takesWorkbooks ? '.csv,text/csv,.xlsx' : '.csv,text/csv'}
        className={styles.input}
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          target.value = '';
          if (chosen) onFile(chosen);
        }}
      />
      <span className={`large strong ${styles.label}`}>Select CSV File for Import...</span>
      <span className="muted breaks">
        {file
          ? `${file.name} (${sizeText(file.size)})`
          : takesWorkbooks
            ? 'or drop it here: CSV, or an Excel workbook (.xlsx)'
            : 'or drop it here'}
      </span>
    </label>
    <Template address={template}>{children}</Template>
  </div>
);

/** A link to a template, and what stands beside it. */
export const Template = ({ address, children }: { readonly address: string; readonly children?: ReactNode }) => (
  <p className="muted small">
    Template:{' '}
    <a href={address} download={nameOf(address)}>
      {nameOf(address)}
    </a>{' '}
    {children}
  </p>
);

const nameOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString('en-GB')} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
