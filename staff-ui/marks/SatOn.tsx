import type { SatOn as Dates } from '#api/school/sets/sets.contract';
import { dateText } from '#api/contract/dates';
import { EARLIEST_DAY_SAT, wrongDaySatBy } from '#api/contract/rules';
import { useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import { useQuestion } from '../../ui/api/ApiProvider.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { useFocusStays } from '../../ui/controls/useFocusStays.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { localDate } from '../../ui/as-of/moments.ts';
import { day } from '../format.ts';
import styles from './SatOn.module.css';

type SatOnProps = { readonly setId: string; readonly testId: string };
type Change = { readonly satOn: string | null; readonly was: string | null };

/** On which day a class sat an assessment: the day of its first mark, unless somebody says another one. */
export const SatOn = ({ setId, testId }: SatOnProps) => {
  const subjectId = useSession().subject?.subjectId ?? '';
  const dates = useQuestion('sat-on', { setId, testId }).data;
  const [typed, setTyped] = useState<string>();
  const [last, setLast] = useState<Change>();
  const [left, setLeft] = useState(false);
  const [today] = useState(() => localDate(new Date()));
  const { send, pending, error, forget } = useCommand('DateAssessment', {
    input: ({ satOn, was }: Change) => ({ subjectId, setId, testId, satOn, was }),
    invalidates: ['structure'],
    showsError: true,
    onDone: (_answer, change) => {
      setTyped(undefined);
      setLeft(false);
      setLast(change);
    },
  });
  const wrong = typed === undefined || typed === '' ? undefined : wrongDaySatBy(typed, today);
  const box = useFocusStays<HTMLDivElement>(!pending);
  if (!dates) return <p className={`row gap-4 muted ${styles.line}`}>{'\u00A0'}</p>;
  const { satOn, mayWrite } = dates;
  const fold = () => {
    setTyped(undefined);
    setLeft(false);
    forget();
  };
  const content =
    typed === undefined ? (
      <p className={`row gap-4 muted ${styles.line}`}>
        <span>{satText(dates)}</span>
        {mayWrite && (
          <Button look="plain" onClick={() => setTyped(satOn ?? '')}>
            Change the date
          </Button>
        )}
        {last && last.satOn === satOn && (
          <Button look="plain" disabled={pending} onClick={() => void send({ satOn: last.was, was: last.satOn })}>
            Undo
          </Button>
        )}
        {error !== undefined && <span className="failed">{sentence(error)}</span>}
      </p>
    ) : (
      <form
        className="row gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setLeft(true);
          if (typed !== '' && wrong === undefined) void send({ satOn: typed, was: satOn });
        }}
      >
        <Field
          label="Date sat"
          type="date"
          value={typed}
          min={EARLIEST_DAY_SAT}
          max={today}
          autoFocus
          // A year is typed digit by digit: in between it is long ago.
          error={(left ? wrong : undefined) ?? (error === undefined ? undefined : sentence(error))}
          hint={`Without it, ${dates.upload ? 'the date of the upload' : 'the day of the first mark'} counts.`}
          onBlur={() => setLeft(true)}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={pending || typed === ''}>
          Save the date
        </Button>
        {satOn !== null && (
          <Button disabled={pending} onClick={() => void send({ satOn: null, was: satOn })}>
            Take the date back
          </Button>
        )}
        <Button look="plain" onClick={fold}>
          Cancel
        </Button>
      </form>
    );
  return <div ref={box}>{content}</div>;
};

/** The day, and who says so. */
const satText = ({ satOn, upload, firstMark }: Dates): string => {
  if (satOn !== null) return `Sat on ${dateText(satOn)}`;
  if (upload) return `Sat on ${dateText(upload.satOn)}, as given with ${namesOf(upload)}`;
  return firstMark === null ? 'Not sat yet' : `Sat on ${day(firstMark)}, the day of the first mark`;
};

const namesOf = ({ fileName, by }: NonNullable<Dates['upload']>): string =>
  `${fileName === null ? 'an upload' : `the upload ${fileName}`}${by === null ? '' : ` by ${by}`}`;
