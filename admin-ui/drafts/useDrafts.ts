import { useState } from 'react';
import type { HttpError, RaRecord } from 'react-admin';
import { useGetMany, useRefresh, useUpdate } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';

/** Unsaved changes to one record of a list. `seen`: the record when editing began. */
type Draft<Row> = { readonly seen: Row; readonly values: Partial<Row> };
/** Errors by field; `''`: about the record as a whole. */
export type DraftErrors = Readonly<Record<string, string>>;

/**
 * A list that is edited in place and saved by one button. Each record is saved whole or not at all; a refused one keeps its input and
 * shows the reason. If somebody else changes a record that is being edited, a message says so at once, and Save overwrites that change.
 *
 * The list may be paged, searched and sorted: input is kept while other records are shown, and Save stores all of it.
 *
 * @param listed the current records of the page; undefined: still loading
 */
export const useDrafts = <Row extends RaRecord<string>>(resource: string, listed: readonly Row[] | undefined) => {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft<Row>>>(new Map());
  const [errors, setErrors] = useState<ReadonlyMap<string, DraftErrors>>(new Map());
  const [saving, setSaving] = useState(false);
  useUnsaved(drafts.size > 0);
  const [update] = useUpdate<Row, HttpError>();
  const refresh = useRefresh();

  const discard = (id: string) => {
    setDrafts((all) => without(all, id));
    setErrors((all) => without(all, id));
  };

  // Edited records are also followed while they are not on the page.
  const followed = useGetMany<Row>(resource, { ids: [...drafts.keys()] }, { enabled: drafts.size > 0, refetchOnMount: 'always' });
  const isFollowed = followed.isFetchedAfterMount && !followed.isPlaceholderData;
  const now = new Map([...(isFollowed ? (followed.data ?? []) : []), ...(listed ?? [])].map((row) => [row.id, row]));
  const isGone = (id: string): boolean => isFollowed && listed !== undefined && drafts.has(id) && !now.has(id);
  /** What others did to a record since editing began. */
  const othersDid = (id: string): DraftErrors => {
    const [draft, row] = [drafts.get(id), now.get(id)];
    if (isGone(id)) return { '': GONE };
    return draft && row && row['version'] !== draft.seen['version'] ? { '': CHANGED } : {};
  };

  /** Returns whether everything is saved. */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    const failed = new Map<string, DraftErrors>();
    for (const [id, draft] of drafts) {
      try {
        // After a notice that the record has changed, saving overwrites the new version.
        const before = now.get(id) ?? draft.seen;
        // In sequence, because they share a stream.
        // oxlint-disable-next-line no-await-in-loop
        await update(resource, { id, data: { ...before, ...draft.values }, previousData: before }, HOW);
        setDrafts((all) => without(all, id));
      } catch (error) {
        failed.set(id, troubleOf(error));
      }
    }
    setErrors(failed);
    setSaving(false);
    refresh();
    return failed.size === 0;
  };

  const onPage = new Set(listed?.map(({ id }) => id));
  const elsewhere = [...drafts.values()].map(({ seen }) => now.get(seen.id) ?? seen).filter(({ id }) => !onPage.has(id));
  const astray = elsewhere.filter(({ id }) => isGone(id) || errors.has(id));

  return {
    /** The stored records of the page, and edited ones from other pages that were removed by somebody else or refused. */
    rows: [...(listed ?? []), ...astray],
    /** The number of edited records that are not shown. */
    elsewhere: elsewhere.length - astray.length,
    /** The edited records, with their changes. */
    typed: [...drafts.values()].map(({ seen, values }): Row => ({ ...(now.get(seen.id) ?? seen), ...values })),
    /** A record with its unsaved changes. */
    shown: (row: Row): Row => ({ ...row, ...drafts.get(row.id)?.values }),
    change: (row: Row, values: Partial<Row>) =>
      setDrafts((all) => {
        const before = all.get(row.id);
        return new Map(all).set(row.id, { seen: before?.seen ?? row, values: { ...before?.values, ...values } });
      }),
    errorsOf: (id: string): DraftErrors => ({ ...errors.get(id), ...othersDid(id) }),
    isChanged: (id: string): boolean => drafts.has(id),
    changed: drafts.size,
    saving,
    save,
    discard,
  };
};

const HOW = { returnPromise: true, mutationMode: 'pessimistic' } as const;
const CHANGED = 'Somebody else has changed this meanwhile. Save to store what you typed in its place, or reload to see theirs.';
const GONE = 'Somebody else has removed this meanwhile. It can no longer be saved: reload the page to discard your changes.';

/** By field; empty where somebody else's change is the reason, which the list is about to show. */
const troubleOf = (error: unknown): DraftErrors => {
  const { status, body } = error as { readonly status?: number; readonly body?: unknown };
  if (status === 404 || status === 412) return {};
  const { errors: fields = {} } = (body ?? {}) as { readonly errors?: Readonly<Record<string, string>> };
  return Object.keys(fields).length > 0 ? fields : { '': sentence(error) };
};

const without = <Value>(all: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> => {
  const rest = new Map(all);
  rest.delete(id);
  return rest;
};
