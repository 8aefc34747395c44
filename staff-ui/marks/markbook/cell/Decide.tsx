import type { CellHistory, Value } from '#api/marks/marks.contract';
import { sentence } from '../../../../ui/api/failure.ts';
import { useCommand } from '../../../../ui/sending/useSend.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { useMoment } from '../../../moment.ts';
import type { CellOf } from '../../../queries.ts';
import { useSession } from '../../../../ui/session/Session.tsx';
import { some } from '../../../format.ts';
import styles from './CellDialog.module.css';
import { valueText } from './History.tsx';

type DecideProps = { readonly cell: CellOf; readonly history: CellHistory; readonly label: string };

/** A contested cell: each value with its author, and a button to make it count. */
export const Decide = ({ cell, history, label }: DecideProps) => {
  const { decide, error, busy } = useDecision(cell);
  const { asOf } = useMoment();
  const mayWrite = history.mayWrite && asOf === undefined;
  if (history.reading.state !== 'contested') return null;
  const { value: counting, values } = history.reading;
  return (
    <div className={`stack ${styles.decide}`}>
      <h3>{mayWrite ? `Which ${label} counts?` : `This ${label} has several values`}</h3>
      <p className="small muted">
        Their authors had not seen each other’s. Until somebody decides, the earliest counts: {valueText(counting)}.
      </p>
      <ul className="stack">
        {values.map((value) => {
          const changes = history.changes.filter((one) => one.head && one.is === value);
          const authors = [...new Set(changes.map(({ by }) => by ?? 'somebody who was forgotten'))];
          return (
            <li key={value} className="row apart">
              <span>
                <b className="large">{valueText(value)}</b>
                {authors.length > 0 && ` from ${some(authors)}`}
              </span>
              {mayWrite && (
                <Button disabled={busy} onClick={() => decide(value, values)}>
                  Use {valueText(value)}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
    </div>
  );
};

const useDecision = ({ attendance, ...cell }: CellOf) => {
  const { subject } = useSession();
  const subjectId = subject?.subjectId ?? '';
  const { send, pending, error } = useCommand('DecideMark', {
    /** Each decision is an entry of its own. */
    input: ({ is, was }: { readonly is: Value; readonly was: readonly Value[] }, key) => ({
      entryId: key,
      subjectId,
      ...cell,
      ...(attendance ? { attendance: true } : {}),
      is,
      was: [...was],
    }),
    invalidates: ['marks'],
    showsError: true,
  });
  return { decide: (is: Value, was: readonly Value[]) => void send({ is, was }), error, busy: pending };
};
