import type { CSSProperties, FormEvent, KeyboardEvent } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import uploadStyles from '../upload/Upload.module.css';
import type { Form } from '../typing/queue.ts';
import styles from './TotalsForm.module.css';
import { TotalField } from './TotalField.tsx';
import { useManualTotals } from './useManualTotals.ts';

type TotalsFormProps = { readonly about: Form; readonly yearGroupId: string; readonly max: number };

/** One field per student. Enter moves to the next; Submit stores what changed. */
export const TotalsForm = ({ about, yearGroupId, max }: TotalsFormProps) => {
  const form = useManualTotals(about, yearGroupId, max);
  const { markbook, rows, valid, typedInto, inWords, textOf, type, noteFor, errorFor, clear, submit, saving, error, done, hideDone } = form;
  if (markbook.error) return <Failure error={markbook.error} retry={() => void markbook.refetch()} />;
  if (!markbook.data) return <Skeleton rows={8} label="Loading totals" />;
  if (rows.length === 0) return <EmptyState title="Nobody is in this class yet">An admin of your school adds its students.</EmptyState>;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (valid && typedInto > 0 && !saving) submit();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <div className={`${uploadStyles.step} ${styles.fields}`} style={inColumns(rows.length)}>
        {rows.map((row) => (
          <TotalField
            key={row.studentId}
            name={row.name}
            max={max}
            value={textOf(row)}
            changed={textOf(row) !== row.stored}
            note={noteFor(row)}
            error={errorFor(row)}
            onType={(text) => type(row, text)}
            onKeyDown={(event) => {
              hideDone();
              move(event);
            }}
          />
        ))}
      </div>
      <DialogFoot>
        <div className={styles.outcome}>
          {done && <Notice tone="good" title="Done" />}
          {error !== undefined && <Notice tone="bad" title={error} />}
          {!valid && <p className={styles.error}>Correct the fields that are marked, then submit.</p>}
          {valid && error === undefined && typedInto > 0 && <p role="status">{inWords}</p>}
        </div>
        {valid && (
          <>
            <Button onClick={clear} disabled={saving}>
              Clear
            </Button>
            {/* Not `disabled`, which would take the focus from it when everything is stored. */}
            <Button look="primary" type="submit" aria-disabled={saving || typedInto === 0}>
              {saving ? 'Storing…' : 'Submit'}
            </Button>
          </>
        )}
      </DialogFoot>
    </form>
  );
};

/** Rows per column for three and two columns: names run down, not across, and keep their place. */
const inColumns = (rows: number): CSSProperties => ({ '--three': Math.ceil(rows / 3), '--two': Math.ceil(rows / 2) }) as CSSProperties;

/** Enter and the arrow keys move between students. */
const move = (event: KeyboardEvent<HTMLInputElement>) => {
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const fields = [...(event.currentTarget.form?.querySelectorAll('input') ?? [])];
  const next = fields[fields.indexOf(event.currentTarget) + step];
  next?.focus();
  next?.select();
};
