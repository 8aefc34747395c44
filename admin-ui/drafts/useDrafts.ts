import { useState } from 'react';
import type { HttpError, RaRecord } from 'react-admin';
import { useGetMany, useRefresh, useUpdate } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';

/** What somebody has changed in one record of a list and not stored yet. `seen`: the record as he saw it when he began. */
type Draft<Row> = { readonly seen: Row; readonly values: Partial<Row> };
/** Why a record could not be stored: by field; `''`: the record itself. */
export type DraftErrors = Readonly<Record<string, string>>;

/**
 * A list that is edited in place and stored by one button. Each record is stored whole or not at all; what is refused stays as it was typed,
 * with the reason. What somebody else does to a record that is being edited is said as soon as the list shows it, and Save stores what is
 * typed over that.
 *
 * The list may be shown a page at a time, searched and sorted: what was typed stays while other records are shown, and Save stores all of it.
 *
 * @param listed the records on the page as they are now; undefined: not known yet
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

  // A record that is being edited is followed also while it is not on the page.
  const followed = useGetMany<Row>(resource, { ids: [...drafts.keys()] }, { enabled: drafts.size > 0, refetchOnMount: 'always' });
  const isFollowed = followed.isFetchedAfterMount && !followed.isPlaceholderData;
  const now = new Map([...(isFollowed ? (followed.data ?? []) : []), ...(listed ?? [])].map((row) => [row.id, row]));
  const isGone = (id: string): boolean => isFollowed && listed !== undefined && drafts.has(id) && !now.has(id);
  /** What others did to a record since somebody here began to change it. */
  const othersDid = (id: string): DraftErrors => {
    const [draft, row] = [drafts.get(id), now.get(id)];
    if (isGone(id)) return { '': GONE };
    return draft && row && row['version'] !== draft.seen['version'] ? { '': CHANGED } : {};
  };

  /** Answers whether all of it is stored now. */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    const failed = new Map<string, DraftErrors>();
    for (const [id, draft] of drafts) {
      try {
        // Who saves after it was said that the record is another one now, means that one.
        const before = now.get(id) ?? draft.seen;
        // One after the other: they stand in one stream.
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
    /** The records of the page as they are stored; and those that are being edited elsewhere and could not be saved: removed by somebody else, or refused. */
    rows: [...(listed ?? []), ...astray],
    /** How many are being edited that are not shown. */
    elsewhere: elsewhere.length - astray.length,
    /** Those that are being edited, with what was changed. */
    typed: [...drafts.values()].map(({ seen, values }): Row => ({ ...(now.get(seen.id) ?? seen), ...values })),
    /** A record as it is shown: with what was changed. */
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
const GONE = 'Somebody else has removed this meanwhile. It cannot be saved any more: reload to let it go.';

/** By field; nothing where it is the others' doing, which the list is about to show. */
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
