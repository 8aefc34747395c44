import { dateText } from '#api/contract/dates';
import { EARLIEST_DAY_SAT, wrongDaySatBy } from '#api/contract/rules';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { localDate } from '../../../ui/as-of/moments.ts';
import styles from './Upload.module.css';

/** The day on which the assessments of a file were sat, until it is stored. Nothing typed: the day of the first mark. */
export const useDateSat = () => {
  const [typed, type] = useState('');
  const [today] = useState(() => localDate(new Date()));
  return {
    typed,
    type,
    wrong: typed === '' ? undefined : wrongDaySatBy(typed, today),
    /** As requests take it. */
    sent: typed === '' ? {} : { satOn: typed },
  };
};

type DateSatProps = { readonly date: ReturnType<typeof useDateSat> };

/** Folded away: nearly always it is the day of the first mark. */
export const DateSat = ({ date: { typed, type, wrong } }: DateSatProps) => {
  const [open, setOpen] = useState(typed !== '');
  const [left, setLeft] = useState(false);
  const [today] = useState(() => localDate(new Date()));
  if (!open)
    return (
      <p className="row gap-4 muted">
        <span>Date sat: the day of the first mark</span>
        <Button look="plain" onClick={() => setOpen(true)}>
          Change the date
        </Button>
      </p>
    );
  return (
    <div className={styles.date}>
      <Field
        label="Date sat"
        type="date"
        value={typed}
        min={EARLIEST_DAY_SAT}
        max={today}
        autoFocus={typed === ''}
        // A year is typed digit by digit: in between it is long ago.
        error={left ? wrong : undefined}
        hint="If it is left empty, the day of the first mark counts."
        onBlur={() => setLeft(true)}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  );
};

/** The chosen day, before it is stored. */
export const ChosenDate = ({ date: { typed } }: DateSatProps) =>
  typed !== '' && <p className="row gap-4 muted">Sat on {dateText(typed)}.</p>;
