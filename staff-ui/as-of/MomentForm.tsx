import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import styles from './MomentForm.module.css';
import { agos, instantOf, localDate, localTime } from './moments.ts';

type MomentFormProps = { readonly asOf: string | undefined; readonly choose: (asOf: string | undefined) => void };

/** Chooses a day and time in the user's time zone, or a common moment. */
export const MomentForm = ({ asOf, choose }: MomentFormProps) => {
  const [now] = useState(() => new Date());
  const begin = asOf === undefined ? now : new Date(asOf);
  const [date, setDate] = useState(() => localDate(begin));
  const [time, setTime] = useState(() => localTime(begin));
  const [error, setError] = useState<string>();
  const show = () => {
    const moment = instantOf(date, time);
    if (moment === undefined) setError('Choose a day and a time.');
    else if (moment.getTime() > Date.now()) setError('This moment is in the future: choose one that has passed.');
    else choose(moment.toISOString());
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        show();
      }}
    >
      <p>The page is put together from everything that had happened by then, and nothing that came later.</p>
      <div className={styles.agos}>
        {agos(now).map(({ label, moment }) => (
          <Button key={label} onClick={() => choose(moment.toISOString())}>
            {label}
          </Button>
        ))}
      </div>
      <div className={styles.fields}>
        <Field label="Day" type="date" value={date} max={localDate(now)} onChange={(event) => setDate(event.target.value)} error={error} />
        <Field label="Time" type="time" value={time} onChange={(event) => setTime(event.target.value)} />
      </div>
      <DialogFoot>
        {asOf !== undefined && <Button onClick={() => choose(undefined)}>Back to now</Button>}
        <Button look="primary" type="submit">
          Show this moment
        </Button>
      </DialogFoot>
    </form>
  );
};
