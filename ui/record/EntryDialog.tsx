import type { HistoryEntry, RecordEntry } from '#api/history/history.contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/ApiProvider.tsx';
import { buttonClass } from '../controls/Button.tsx';
import { Dialog } from '../controls/Dialog.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { AppLink } from '../frame/navigation.tsx';
import { useSession } from '../session/Session.tsx';
import { Heads, Table } from '../table/Table.tsx';
import { asWhom, textOf } from './entry.ts';
import { SCHOOL_ZONE } from '#api/contract/dates';
import { momentOf, shownAt } from './shown-at.ts';
import styles from './Record.module.css';

type EntryDialogProps = {
  /** undefined: closed */
  readonly eventId: string | undefined;
  readonly show: (eventId: string) => void;
  readonly onClose: () => void;
};

/** One entry: what it changed, from what to what; its cause, and what came of it. */
export const EntryDialog = ({ eventId, show, onClose }: EntryDialogProps) => {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['history-entry', eventId],
    queryFn: ({ signal }) => api.query('history-entry', { eventId: eventId ?? '' }, { signal }),
    enabled: eventId !== undefined,
  });
  return (
    <Dialog open={eventId !== undefined} onClose={onClose} title="What happened" size="fit">
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} label="Loading the entry" />}
      {data && <Opened opened={data} show={show} />}
    </Dialog>
  );
};

const Opened = ({ opened, show }: { readonly opened: HistoryEntry; readonly show: (eventId: string) => void }) => {
  const { entry, typedAt, hash, changes, moreChanges, together, takenBack, cause, caused } = opened;
  return (
    <div className="stack gap-4 pad">
      <p className="large strong">
        {textOf(entry)} {entry.viewedAs && asWhom(entry.viewedAs)}
      </p>
      <p>
        <time dateTime={entry.at}>{moment.format(new Date(entry.at))}</time>
        {typedAt !== null && `, typed ${moment.format(new Date(typedAt))}`}
      </p>
      <p className={`row ${styles.moments}`}>
        <AsOf opened={opened} asOf={momentOf(entry.at, -1)}>
          Show how it was before this change
        </AsOf>
        <AsOf opened={opened} asOf={momentOf(entry.at)}>
          {AFTER[entry.type] ?? 'How it was after it'}
        </AsOf>
      </p>
      {changes.length > 0 && <Changes changes={changes} moreChanges={moreChanges} />}
      <Entries title="With it" entries={together} show={show} />
      <Entries title="It took back" entries={takenBack} show={show} />
      <Entries title="Because of" entries={cause === null ? [] : [cause]} show={show} />
      <Entries title="What came of it" entries={caused} show={show} />
      <details>
        <summary>In the log</summary>
        <dl className={`breaks ${styles.log}`}>
          <dt>Event</dt>
          <dd>
            {entry.type} <code>{entry.eventId}</code>
          </dd>
          <dt>Stream and revision</dt>
          <dd>
            <code>{entry.stream}</code>, {entry.revision}
          </dd>
          <dt>Act</dt>
          <dd>
            <code>{entry.commandId}</code>
          </dd>
          <dt>Hash in the ledger</dt>
          <dd>
            <code>{hash}</code>
          </dd>
        </dl>
      </details>
    </div>
  );
};

const AFTER: Readonly<Record<string, string>> = {
  TaskRanked: 'How it was when it was ranked',
  GradesAssigned: 'How it was when grades were allocated',
};

type AsOfProps = { readonly opened: HistoryEntry; readonly asOf: string; readonly children: string };

/** The page that shows what the entry is about at a moment, of the entry's subject. */
const AsOf = ({ opened, asOf, children }: AsOfProps) => {
  const { me, chooseSubject } = useSession();
  const { subjectId } = opened;
  const to = shownAt(me, opened, asOf);
  if (to === undefined) return null;
  return (
    <AppLink className={buttonClass()} to={to} onClick={() => subjectId !== null && chooseSubject(subjectId)}>
      {children}
    </AppLink>
  );
};

const Changes = ({ changes, moreChanges }: Pick<HistoryEntry, 'changes' | 'moreChanges'>) => (
  <>
    <Table label="What it changed" isList>
      <Heads names={['Of', 'What', 'Before', 'After']} />
      <tbody>
        {changes.map(({ of, in: within, field, from, to }) => (
          <tr key={`${of.id ?? ''} ${within?.id ?? ''} ${field}`}>
            <th scope="row">{of.text}</th>
            <td>
              {field}
              {within && <small className={`muted ${styles.within}`}>{within.text}</small>}
            </td>
            <td>{from === null ? <span className="muted">not known</span> : from.join(' or ') || 'none'}</td>
            <td>{to}</td>
          </tr>
        ))}
      </tbody>
    </Table>
    {moreChanges > 0 && <p>And {moreChanges} more.</p>}
  </>
);

type EntriesProps = { readonly title: string; readonly entries: readonly RecordEntry[]; readonly show: (eventId: string) => void };

const Entries = ({ title, entries, show }: EntriesProps) =>
  entries.length === 0 ? null : (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {entries.map((entry) => (
          <li key={entry.eventId}>
            <button type="button" className={`bare strong breaks ${styles.thing}`} onClick={() => show(entry.eventId)}>
              {textOf(entry)}
            </button>{' '}
            <time dateTime={entry.at}>{moment.format(new Date(entry.at))}</time>
          </li>
        ))}
      </ul>
    </section>
  );

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: SCHOOL_ZONE });
