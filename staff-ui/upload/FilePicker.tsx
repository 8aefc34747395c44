import { count } from '../format.ts';
import { FilledTemplate } from './FilledTemplate.tsx';
import styles from './FilePicker.module.css';

type FilePickerProps = {
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
  /** 'totals_upload.csv' */
  readonly template: string;
  readonly kind: 'totals' | 'results';
};

/** Chooses a CSV file by dialog, by keyboard or by dropping it, with its template beside it. */
export const FilePicker = ({ file, onFile, template, kind }: FilePickerProps) => (
  <div className={styles.picker}>
    <label className={styles.drop}>
      {/* The input lies over the whole field and takes what is dropped on it. Its value is emptied at each click, so that a corrected file of the same name is read again. */}
      <input
        type="file"
        accept=".csv,text/csv"
        className={styles.input}
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => {
          if (event.target.files?.[0]) onFile(event.target.files[0]);
        }}
      />
      <span className={styles.label}>Select CSV File for Import...</span>
      <span className={styles.chosen}>{file ? `${file.name} (${sizeText(file.size)})` : 'or drop it here'}</span>
    </label>
    <p className={styles.template}>
      Template:{' '}
      <a href={`${import.meta.env.BASE_URL}${template}`} download={template}>
        {template}
      </a>{' '}
      <FilledTemplate kind={kind} />
    </p>
  </div>
);

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${count(Math.max(1, Math.round(bytes / 1_000)))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
