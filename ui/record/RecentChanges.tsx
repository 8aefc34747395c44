import type { changeKinds, RecentAct } from '#api/history/history.contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { Button } from '../controls/Button.tsx';
import { Field, Select } from '../controls/Field.tsx';
import { EmptyState } from '../feedback/EmptyState.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { Section } from '../frame/Page.tsx';
import { useSend } from '../sending/useSend.ts';
import { useSession } from '../session/Session.tsx';
import { EntryDialog } from './EntryDialog.tsx';
import { authorOf } from './entry.ts';
import { inputOf } from './filters.ts';
import { SCHOOL_ZONE } from '#api/contract/dates';
import { turn } from './turn.ts';
import styles from './Record.module.css';

type Kind = (typeof changeKinds)[number];
const kindNames: Readonly<Record<Kind, string>> = {
  students: 'Students',
  structure: 'Classes and teachers',
  assessments: 'Assessments',
  lists: 'Revision lists',
  marks: 'Marks',
  prior: 'Prior scores',
};
const isKind = (value: string): value is Kind => Object.hasOwn(kindNames, value);

type Filters = { readonly kind?: Kind; readonly by?: string; readonly byName?: string; readonly from?: string; readonly to?: string };

/** `kind`: a page's own, which is not asked for. */
type RecentChangesProps = { readonly subjectId: string; readonly kind?: Kind };

/** What was changed in a subject, newest first, each act with Undo or, once it is undone, Redo. */
export const RecentChanges = (props: RecentChangesProps) => (
  <Section title="Recent changes" aside={<span>Undo works however long ago it was.</span>}>
    <ActList {...props} />
  </Section>
);

export const ActList = ({ subjectId, kind }: RecentChangesProps) => {
  const api = useApi();
  const [chosen, setChosen] = useState<Filters>({});
  const [opened, setOpened] = useState<string>();
  const filters = { ...chosen, ...(kind && { kind }) };
  const changes = useInfiniteQuery({
    queryKey: ['recent-changes', subjectId, filters],
    queryFn: ({ pageParam, signal }) => {
      const { kind: asked, byName: _, ...narrowed } = filters;
      const { from, to, by } = inputOf(narrowed);
      const before = pageParam === undefined ? {} : { before: pageParam };
      const input = { subjectId, ...(asked && { kind: asked }), ...(from && { from }), ...(to && { to }), ...(by && { by }) };
      return api.ask('recent-changes', { ...input, ...before, limit: kind ? FEW : MANY }, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const acts = changes.data?.pages.flatMap((page) => page.acts) ?? [];
  return (
    <>
      {!kind && <Bar filters={chosen} choose={setChosen} />}
      {chosen.by !== undefined && (
        <Button onClick={() => setChosen(({ by: _by, byName: _name, ...others }) => others)}>By {chosen.byName}: show everybody’s</Button>
      )}
      {changes.isPending && <Skeleton rows={4} label="Loading the recent changes" />}
      {changes.error && <Failure error={changes.error} retry={() => void changes.refetch()} />}
      {changes.data && acts.length === 0 && (
        <EmptyState title="Nothing was changed here yet">What is entered, imported or deleted from now on is listed here.</EmptyState>
      )}
      <ol className={styles.acts} aria-label="Recent changes">
        {acts.map((act) => (
          <Act
            key={act.eventId}
            act={act}
            subjectId={subjectId}
            open={() => setOpened(act.eventId)}
            narrow={() => setChosen((now) => ({ ...now, by: act.by.accountId, byName: authorOf(act) }))}
          />
        ))}
      </ol>
      {changes.hasNextPage && (
        <Button disabled={changes.isFetchingNextPage} onClick={() => void changes.fetchNextPage()}>
          Show older ones
        </Button>
      )}
      <EntryDialog eventId={opened} show={setOpened} onClose={() => setOpened(undefined)} />
    </>
  );
};

const FEW = 5;
const MANY = 10;

type ActProps = { readonly act: RecentAct; readonly subjectId: string; readonly open: () => void; readonly narrow: () => void };

const Act = ({ act, subjectId, open, narrow }: ActProps) => {
  const { at, sentence, others, isUndone, undo } = act;
  const what = sentence.map(({ text }) => text).join('');
  const { send, pending } = useSend({
    act: (_: void, command) => turn(command, subjectId, undo),
    invalidates: 'everything',
    notice: (stays) => stays && [`${isUndone ? 'Redone' : 'Undone'}: ${authorOf(act)} ${what}.`, ...stays].join(' '),
  });
  return (
    <li className={styles.act} data-undone={isUndone || undefined}>
      <button type="button" className={`bare ${styles.time}`} onClick={open} aria-label={`${time.format(new Date(at))}: open this entry`}>
        <time dateTime={at}>{time.format(new Date(at))}</time>
      </button>
      <p>
        <button type="button" className={`bare strong breaks ${styles.thing}`} onClick={narrow}>
          {authorOf(act)}
        </button>{' '}
        {what}
        {others > 0 && <span className="muted"> and {moreOf(act)}</span>}
        {isUndone && <span className="muted"> (undone)</span>}
      </p>
      {undo && (
        <Button disabled={pending} onClick={() => void send()} aria-label={`${isUndone ? 'Redo' : 'Undo'}: ${what}`}>
          {pending ? 'Working…' : isUndone ? 'Redo' : 'Undo'}
        </Button>
      )}
    </li>
  );
};

const moreOf = ({ others, kind }: RecentAct): string => {
  const [one, many] = kind === 'marks' ? ['save', 'saves'] : ['entry', 'entries'];
  return others === 1 ? `one more ${one}` : `${others} more ${many}`;
};

const Bar = ({ filters, choose }: { readonly filters: Filters; readonly choose: (filters: Filters) => void }) => {
  const { role } = useSession().me;
  return (
    <search className={`row gap-3 top ${styles.filters}`}>
      <Select
        label="Kind"
        value={filters.kind ?? ''}
        onChange={({ target: { value } }) => {
          const { kind: _, ...others } = filters;
          choose(isKind(value) ? { ...others, kind: value } : others);
        }}
      >
        <option value="">Everything</option>
        {Object.entries(kindNames).map(([kind, name]) =>
          // A teacher changes nothing else, and sees of others what they enter.
          role === 'teacher' && kind !== 'marks' && kind !== 'lists' ? null : (
            <option key={kind} value={kind}>
              {name}
            </option>
          ),
        )}
      </Select>
      {(['from', 'to'] as const).map((field) => (
        <Field
          key={field}
          label={field === 'from' ? 'From' : 'To'}
          type="date"
          value={filters[field] ?? ''}
          onChange={({ target: { value } }) => {
            const { [field]: _, ...others } = filters;
            choose(value === '' ? others : { ...others, [field]: value });
          }}
        />
      ))}
    </search>
  );
};

const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: SCHOOL_ZONE,
});
