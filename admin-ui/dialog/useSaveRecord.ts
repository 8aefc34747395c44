import { useState } from 'react';
import type { HttpError, RaRecord } from 'react-admin';
import { useCreate, useGetOne, useRefresh, useUpdate } from 'react-admin';
import { isUnexpected } from '../../ui/api/failure.ts';
import { useOops } from '../../ui/feedback/Oops.tsx';

/** Why a form cannot be saved, besides errors by field. */
export type SaveTrouble =
  /** Somebody else has changed the record to `now`. Saving overwrites that; `take` bases the form on it. */
  | { readonly kind: 'changed'; readonly now: RaRecord; readonly take: () => void }
  /** Somebody else has removed it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly sentence: string };

type Saving<Row> = {
  readonly resource: string;
  readonly record: Row | undefined;
  readonly given: Readonly<Record<string, unknown>> | undefined;
  readonly onSaved: (saved: Row) => void;
};

/**
 * Saves a form and returns errors by field, as react-admin's forms expect. The record is followed while the form is open, so that changes
 * by others are shown at once without touching the input.
 */
export const useSaveRecord = <Row extends RaRecord>({ resource, record, given, onSaved }: Saving<Row>) => {
  const [create] = useCreate<Row, HttpError>();
  const [update] = useUpdate<Row, HttpError>();
  const refresh = useRefresh();
  const oops = useOops();
  /** The version that the input is based on: the record when it was opened or last reloaded. */
  const [seen, setSeen] = useState(record);
  const [refusal, setRefusal] = useState<string>();
  const [saving, setSaving] = useState(false);
  const asked = record ? { id: record.id } : {};
  // The cache may be older than the record that was opened.
  const followed = useGetOne<Row, HttpError>(resource, asked, { enabled: record !== undefined, refetchOnMount: 'always' });
  const now = followed.isFetchedAfterMount ? followed.data : undefined;

  const isChanged = seen !== undefined && now !== undefined && now['version'] !== seen['version'];
  const trouble = ((): SaveTrouble | undefined => {
    if (saving) return undefined;
    if (followed.error?.status === 404) return { kind: 'gone' };
    if (isChanged) return { kind: 'changed', now, take: () => setSeen(now) };
    return refusal === undefined ? undefined : { kind: 'refused', sentence: refusal };
  })();

  const save = async (values: object): Promise<Record<string, string> | undefined> => {
    setSaving(true);
    setRefusal(undefined);
    try {
      // After a notice that the record has changed, saving overwrites the new version.
      const before = isChanged ? now : seen;
      const saved = before
        ? await update(resource, { id: before.id, data: { ...before, ...values }, previousData: before }, HOW)
        : await create(resource, { data: { ...given, ...values } as Partial<Row> }, HOW);
      refresh();
      if (saved) {
        // A form that adds records stays ready for the next one.
        if (before) setSeen(saved);
        onSaved(saved);
      }
      return undefined;
    } catch (failure) {
      const fields = fieldsOf(failure);
      if (fields) return fields;
      if (isHttpError(failure)) {
        if (seen && (failure.status === 404 || failure.status === 412)) await followed.refetch();
        else setRefusal(failure.message);
      } else if (isUnexpected(failure)) oops(failure);
      return undefined;
    } finally {
      setSaving(false);
    }
  };

  return { save, trouble, saving };
};

/** The server validates, so nothing is shown as saved before it answers. */
const HOW = { returnPromise: true, mutationMode: 'pessimistic' } as const;

const isHttpError = (error: unknown): error is HttpError => error instanceof Error && 'status' in error && typeof error.status === 'number';

/** The server's messages by field, if it named fields. */
const fieldsOf = (error: unknown): Record<string, string> | undefined => {
  if (!isHttpError(error) || error.status !== 422) return undefined;
  const { errors } = (error.body ?? {}) as { errors?: Record<string, string> };
  return errors && Object.keys(errors).length > 0 ? errors : undefined;
};
