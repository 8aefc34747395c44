import type { RecordEntry } from '#api/history/history.contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { Dialog, DialogFoot } from '../controls/Dialog.tsx';
import { Field } from '../controls/Field.tsx';
import { useSession } from '../session/Session.tsx';
import styles from './MomentForm.module.css';
import type { Moment } from './moments.ts';
import { agos, dateTime, instantOf, localDate, localTime } from './moments.ts';

/** Shows the moment of the page, and opens the choice of another. */
export const MomentControl = ({ asOf, goTo }: Moment) => {
  const [open, setOpen] = useState(false);
  const shown = asOf === undefined ? 'Now' : dateTime(asOf);
  return (
    <>
      <Button aria-haspopup="dialog" aria-label={`${shown}: choose the moment to show`} onClick={() => setOpen(true)}>
        <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
          <path d="M10 3a7 7 0 1 0 .01 0M10 6v4.2l2.8 1.8" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
        {shown}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Show an earlier moment">
        <MomentForm
          asOf={asOf}
          choose={(chosen) => {
            setOpen(false);
            goTo(chosen);
          }}
        />
      </Dialog>
    </>
  );
};

/** The last times that grades were allocated in the subject. */
const useAllocations = (): readonly RecordEntry[] => {
  const api = useApi();
  const subjectId = useSession().subject?.subjectId;
  const asked = useQuery({
    queryKey: ['allocations', subjectId],
    queryFn: ({ signal }) => api.ask('history', { type: 'GradesAssigned', subjectId, limit: 3 }, { signal }),
    enabled: subjectId !== undefined,
  });
  return asked.data?.events ?? [];
};

type MomentFormProps = { readonly asOf: string | undefined; readonly choose: (asOf: string | undefined) => void };

/** Chooses a day and time in the user's time zone, or a common moment. */
const MomentForm = ({ asOf, choose }: MomentFormProps) => {
  const [now] = useState(() => new Date());
  const allocations = useAllocations();
  const begin = asOf === undefined ? now : new Date(asOf);
  const [date, setDate] = useState(() => localDate(begin));
  const [time, setTime] = useState(() => localTime(begin));
  const [error, setError] = useState<string>();
  const show = () => {
    const moment = instantOf(date, time);
    if (moment === undefined) setError('Choose a day and a time.');
    else if (localTime(moment) !== time) setError('There was no such time on that day: the clocks went forward. Choose another.');
    else if (moment.getTime() > Date.now()) setError('This moment is in the future: choose one that has passed.');
    else choose(moment.toISOString());
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        show();
      }}
    >
      <div className="stack gap-4 pad">
        <p>The page is put together from everything that had happened by then, and nothing that came later.</p>
        <div className={`row ${styles.agos}`}>
          {agos(now).map(({ label, moment }) => (
            <Button key={label} onClick={() => choose(moment.toISOString())}>
              {label}
            </Button>
          ))}
          {allocations.map(({ eventId, at, sentence }) => (
            <Button key={eventId} onClick={() => choose(new Date(at).toISOString())}>
              When grades of {sentence.find(({ kind }) => kind === 'task')?.text ?? 'a task'} were allocated, {dateTime(at)}
            </Button>
          ))}
        </div>
        <div className={styles.fields}>
          <Field
            label="Day"
            type="date"
            value={date}
            max={localDate(now)}
            onChange={(event) => setDate(event.target.value)}
            error={error}
          />
          <Field label="Time" type="time" value={time} onChange={(event) => setTime(event.target.value)} />
        </div>
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
