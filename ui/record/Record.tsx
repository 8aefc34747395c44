import type { HistoryAsked, RecordEntry, RecordPart } from '#api/history/history.contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { asWhom, authorOf } from './entry.ts';
import { EntryDialog } from './EntryDialog.tsx';
import type { RecordFilters } from './filters.ts';
import { inputOf } from './filters.ts';
import { SCHOOL_ZONE } from '#api/contract/dates';
import styles from './Record.module.css';

type RecordProps = {
  readonly filters: RecordFilters;
  /** Of a page about a subject or a class. */
  readonly within?: Pick<HistoryAsked, 'subjectId' | 'setId'>;
  /** Narrows the record to a thing or a person that is named in it. */
  readonly narrow: (filters: RecordFilters) => void;
};

/** What happened, newest first, a day a section. Each entry opens into what it changed. */
export const Record = ({ filters, narrow, within = {} }: RecordProps) => {
  const api = useApi();
  const [opened, setOpened] = useState<string>();
  const record = useInfiniteQuery({
    queryKey: ['history', within, filters],
    queryFn: ({ pageParam, signal }) =>
      api.ask('history', { ...inputOf(filters), ...within, ...(pageParam === undefined ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const entries = record.data?.pages.flatMap(({ events }) => events) ?? [];
  return (
    <>
      {record.isPending && <Skeleton rows={8} label="Loading the record" />}
      {record.error && <Failure error={record.error} retry={() => void record.refetch()} />}
      {record.data && entries.length === 0 && (
        <EmptyState
          title="Nothing is recorded here"
          action={Object.keys(filters).length > 0 ? <Button onClick={() => narrow({})}>Show everything</Button> : undefined}
        >
          {Object.keys(filters).length > 0 ? 'No entry fits all of these filters.' : 'Whatever is changed from now on is listed here.'}
        </EmptyState>
      )}
      {[...Map.groupBy(entries, ({ at }) => day.format(new Date(at)))].map(([name, ofDay]) => (
        <section key={name} className={styles.day} aria-label={name}>
          <h2>{name}</h2>
          <ol>
            {ofDay.map((entry) => (
              <Entry key={entry.eventId} entry={entry} filters={filters} narrow={narrow} open={() => setOpened(entry.eventId)} />
            ))}
          </ol>
        </section>
      ))}
      {record.hasNextPage && (
        <Button disabled={record.isFetchingNextPage} onClick={() => void record.fetchNextPage()}>
          Show older ones
        </Button>
      )}
      <EntryDialog eventId={opened} show={setOpened} onClose={() => setOpened(undefined)} />
    </>
  );
};

type EntryProps = Pick<RecordProps, 'filters' | 'narrow'> & { readonly entry: RecordEntry; readonly open: () => void };

const Entry = ({ entry, filters, narrow, open }: EntryProps) => {
  const { at, by, viewedAs, sentence } = entry;
  return (
    <li className={styles.entry}>
      <button type="button" className={`bare ${styles.time}`} onClick={open} aria-label={`${time.format(new Date(at))}: open this entry`}>
        <time dateTime={at}>{time.format(new Date(at))}</time>
      </button>
      <p>
        <button
          type="button"
          className={`bare strong breaks ${styles.thing}`}
          onClick={() => narrow({ ...filters, by: by.accountId, byName: authorOf(entry) })}
        >
          {authorOf(entry)}
        </button>{' '}
        {viewedAs && <span className="muted">{asWhom(viewedAs)} </span>}
        {sentence.map((part, index) => (
          <Part
            // oxlint-disable-next-line react/no-array-index-key -- a sentence stays as it is
            key={index}
            part={part}
            narrow={(id) => narrow({ ...filters, about: id, aboutName: part.text })}
          />
        ))}
      </p>
    </li>
  );
};

const Part = ({ part: { text, id }, narrow }: { readonly part: RecordPart; readonly narrow: (id: string) => void }) =>
  id === undefined ? (
    text
  ) : (
    <button type="button" className={`bare strong breaks ${styles.thing}`} onClick={() => narrow(id)}>
      {text}
    </button>
  );

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: SCHOOL_ZONE });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: SCHOOL_ZONE });
