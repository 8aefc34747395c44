import { useState } from 'react';
import type { HttpError, RaRecord } from 'react-admin';
import { useDataProvider, useRefresh, useUpdate } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';

/** What somebody has changed in one record of a list and not stored yet. `seen`: the record as he saw it when he began. */
type Draft<Row> = { readonly seen: Row; readonly values: Partial<Row> };
/** Why a record could not be stored: by field; `''`: the record itself. */
export type DraftErrors = Readonly<Record<string, string>>;

/**
 * A list that is edited in place and stored by one button. Each record is stored whole or not at all; what is refused stays as it was typed,
 * with the reason. What somebody else has changed meanwhile is said, and a second Save stores what is typed over it.
 */
export const useDrafts = <Row extends RaRecord<string>>(resource: string) => {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft<Row>>>(new Map());
  const [errors, setErrors] = useState<ReadonlyMap<string, DraftErrors>>(new Map());
  const [saving, setSaving] = useState(false);
  useUnsaved(drafts.size > 0);
  const [update] = useUpdate<Row, HttpError>();
  const provider = useDataProvider();
  const refresh = useRefresh();

  const discard = (id: string) => {
    setDrafts((all) => without(all, id));
    setErrors((all) => without(all, id));
  };

  const troubleOf = async ({ seen, values }: Draft<Row>, error: unknown): Promise<DraftErrors> => {
    const { status, body } = error as { readonly status?: number; readonly body?: unknown };
    if (status === 404) return { '': GONE };
    if (status === 412) {
      const { data } = await provider.getOne<Row>(resource, { id: seen.id });
      setDrafts((all) => new Map(all).set(seen.id, { seen: data, values }));
      return { '': CHANGED };
    }
    const { errors: fields = {} } = (body ?? {}) as { readonly errors?: Readonly<Record<string, string>> };
    return Object.keys(fields).length > 0 ? fields : { '': sentence(error) };
  };

  /** Answers whether all of it is stored now. */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    const failed = new Map<string, DraftErrors>();
    for (const [id, draft] of drafts) {
      try {
        // One after the other: they stand in one stream.
        // oxlint-disable-next-line no-await-in-loop
        await update(resource, { id, data: { ...draft.seen, ...draft.values }, previousData: draft.seen }, HOW);
        setDrafts((all) => without(all, id));
      } catch (error) {
        // oxlint-disable-next-line no-await-in-loop
        failed.set(id, await troubleOf(draft, error));
      }
    }
    setErrors(failed);
    setSaving(false);
    refresh();
    return failed.size === 0;
  };

  return {
    /** A record as it is shown: with what was changed. */
    shown: (row: Row): Row => ({ ...row, ...drafts.get(row.id)?.values }),
    change: (row: Row, values: Partial<Row>) =>
      setDrafts((all) => {
        const before = all.get(row.id);
        return new Map(all).set(row.id, { seen: before?.seen ?? row, values: { ...before?.values, ...values } });
      }),
    errorsOf: (id: string): DraftErrors => errors.get(id) ?? {},
    isChanged: (id: string): boolean => drafts.has(id),
    changed: drafts.size,
    saving,
    save,
    discard,
  };
};

const HOW = { returnPromise: true, mutationMode: 'pessimistic' } as const;
const CHANGED = 'Somebody else has changed this meanwhile. Save again to store what you typed in its place, or reload to see theirs.';
const GONE = 'Somebody else has removed this meanwhile.';

const without = <Value>(all: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> => {
  const rest = new Map(all);
  rest.delete(id);
  return rest;
};
