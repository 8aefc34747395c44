import { useState } from 'react';
import type { HttpError, RaRecord } from 'react-admin';
import { useCreate, useGetOne, useRefresh, useUpdate } from 'react-admin';
import { isUnexpected } from '../../ui/api/failure.ts';
import { useOops } from '../../ui/feedback/Oops.tsx';

/** Why a form cannot be saved as it is, beside what stands next to its fields. */
export type SaveTrouble =
  /** Somebody else has changed the record: `now` is what it says. Saving writes over that; `take` makes the form stand on it. */
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
 * Saves a form: answers what stands next to the fields, as react-admin's forms take it. While the form is open its record is followed, so that
 * what others do to it is said as they do it, and never touches what is typed.
 */
export const useSaveRecord = <Row extends RaRecord>({ resource, record, given, onSaved }: Saving<Row>) => {
  const [create] = useCreate<Row, HttpError>();
  const [update] = useUpdate<Row, HttpError>();
  const refresh = useRefresh();
  const oops = useOops();
  /** What the form stands on: the record when it was opened, or when it was last looked at again. */
  const [seen, setSeen] = useState(record);
  const [refusal, setRefusal] = useState<string>();
  const [saving, setSaving] = useState(false);
  const asked = record ? { id: record.id } : {};
  // What stands in memory may be older than the record that was opened.
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
      // Who saves after it was said that the record is another one now, means that one.
      const before = isChanged ? now : seen;
      const saved = before
        ? await update(resource, { id: before.id, data: { ...before, ...values }, previousData: before }, HOW)
        : await create(resource, { data: { ...given, ...values } as Partial<Row> }, HOW);
      refresh();
      if (saved) {
        // A form that adds goes on to add the next one.
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

/** The server validates: nothing counts before it has said so. */
const HOW = { returnPromise: true, mutationMode: 'pessimistic' } as const;

const isHttpError = (error: unknown): error is HttpError => error instanceof Error && 'status' in error && typeof error.status === 'number';

/** The messages by field, where the server named fields. */
const fieldsOf = (error: unknown): Record<string, string> | undefined => {
  if (!isHttpError(error) || error.status !== 422) return undefined;
  const { errors } = (error.body ?? {}) as { errors?: Record<string, string> };
  return errors && Object.keys(errors).length > 0 ? errors : undefined;
};
