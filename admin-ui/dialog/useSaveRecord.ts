import { useState } from 'react';
import type { RaRecord } from 'react-admin';
import { useCreate, useGetOne, useUpdate } from 'react-admin';
import { isRefused, messagesIn, sentence } from '../../ui/api/failure.ts';
import { useSend } from '../../ui/sending/useSend.ts';

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
  const [create] = useCreate<Row>();
  const [update] = useUpdate<Row>();
  /** The version that the input is based on: the record when it was opened or last reloaded. */
  const [seen, setSeen] = useState(record);
  const query = record ? { id: record.id } : {};
  // The cache may be older than the record that was opened.
  const followed = useGetOne<Row>(resource, query, { enabled: record !== undefined, refetchOnMount: 'always' });
  const now = followed.isFetchedAfterMount ? followed.data : undefined;

  const isChanged = seen !== undefined && now !== undefined && now['version'] !== seen['version'];
  const { request, pending, error } = useSend({
    act: (values: object) => {
      // After a notice that the record has changed, saving overwrites the new version.
      const before = isChanged ? now : seen;
      return before
        ? update(resource, { id: before.id, data: { ...before, ...values }, previousData: before }, HOW)
        : create(resource, { data: { ...given, ...values } as Partial<Row> }, HOW);
    },
    invalidates: 'everything',
    onDone: (saved) => {
      if (!saved) return;
      // A form that adds records stays ready for the next one.
      if (seen) setSeen(saved);
      onSaved(saved);
    },
    onFailed: (failure) => (seen && isOld(failure) ? followed.refetch() : undefined),
    showsError: true,
  });
  const trouble = ((): SaveTrouble | undefined => {
    if (pending) return undefined;
    if (isRefused(followed.error, 'not-found')) return { kind: 'gone' };
    if (isChanged) return { kind: 'changed', now, take: () => setSeen(now) };
    if (error === undefined || fieldsOf(error) || (seen && isOld(error))) return undefined;
    return { kind: 'refused', sentence: sentence(error) };
  })();

  /** Resolves to the errors by field. */
  const save = (values: object): Promise<Readonly<Record<string, string>> | undefined> => request(values).then(() => undefined, fieldsOf);

  return { save, trouble, saving: pending };
};

/** The server validates, so nothing is shown as saved before it answers. */
const HOW = { returnPromise: true, mutationMode: 'pessimistic' } as const;

/** Somebody else has changed or removed the record. */
const isOld = (error: unknown): boolean => isRefused(error, 'not-found', 'precondition-failed');

/** The server's messages by field, if it named fields. */
const fieldsOf = (error: unknown): Readonly<Record<string, string>> | undefined => {
  const fields = isRefused(error, 'invalid-input') ? messagesIn(error) : {};
  return Object.keys(fields).length > 0 ? fields : undefined;
};
