import { useState } from 'react';
import type { HttpError, RaRecord } from 'react-admin';
import { useCreate, useDataProvider, useRefresh, useUpdate } from 'react-admin';
import { isUnexpected } from '../../ui/api/failure.ts';
import { useOops } from '../../ui/feedback/Oops.tsx';

/** Why a form could not be saved, beside what stands next to its fields. */
export type SaveTrouble =
  /** Somebody else has changed the record: `now` is what it says. Saving again writes over that. */
  | { readonly kind: 'changed'; readonly now: RaRecord }
  /** Somebody else has removed it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly sentence: string };

type Saving<Row> = {
  readonly resource: string;
  readonly record: Row | undefined;
  readonly given: Readonly<Record<string, unknown>> | undefined;
  readonly onSaved: (saved: Row) => void;
};

/** Saves a form: answers what stands next to the fields, as react-admin's forms take it. */
export const useSaveRecord = <Row extends RaRecord>({ resource, record, given, onSaved }: Saving<Row>) => {
  const [create] = useCreate<Row, HttpError>();
  const [update] = useUpdate<Row, HttpError>();
  const provider = useDataProvider();
  const refresh = useRefresh();
  const oops = useOops();
  const [seen, setSeen] = useState(record);
  const [trouble, setTrouble] = useState<SaveTrouble>();
  const [saving, setSaving] = useState(false);

  const troubleOf = async (error: HttpError): Promise<SaveTrouble> => {
    if (seen && error.status === 404) return { kind: 'gone' };
    if (seen && error.status === 412) {
      const { data } = await provider.getOne<Row>(resource, { id: seen.id });
      setSeen(data);
      return { kind: 'changed', now: data };
    }
    return { kind: 'refused', sentence: error.message };
  };

  const save = async (values: object): Promise<Record<string, string> | undefined> => {
    setSaving(true);
    try {
      const saved = seen
        ? await update(resource, { id: seen.id, data: { ...seen, ...values }, previousData: seen }, HOW)
        : await create(resource, { data: { ...given, ...values } as Partial<Row> }, HOW);
      setTrouble(undefined);
      refresh();
      if (saved) onSaved(saved);
      return undefined;
    } catch (error) {
      const fields = fieldsOf(error);
      if (fields) return fields;
      if (isHttpError(error)) setTrouble(await troubleOf(error));
      else if (isUnexpected(error)) oops(error);
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
