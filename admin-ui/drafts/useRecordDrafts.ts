import type { RaRecord } from 'react-admin';
import { useCallback } from 'react';
import { useGetMany } from 'react-admin';
import type { Draft } from '../../ui/drafts/drafts.ts';
import { same } from '../../ui/drafts/drafts.ts';
import { useMemoryDrafts, useSeen } from '../../ui/drafts/useDraftStore.ts';
import { useUnsaved } from '../../ui/session/unsaved.ts';

type RecordDrafts<Value, Row> = {
  readonly resource: string;
  /** What is typed into, as it is stored. */
  readonly valueOf: (row: Row) => Value;
  /** A record as it looks once that is stored. */
  readonly asStored: (value: Value, before: Row) => Row;
};

/** Records that are edited in place, by id, across the pages of a list. In memory, for they hold names. */
export const useRecordDrafts = <Value, Row extends RaRecord<string>, Input>({ resource, valueOf, asStored }: RecordDrafts<Value, Row>) => {
  const store = useMemoryDrafts<Value, Row, Input>(asStored);
  const { drafts, troubles } = useSeen(store);
  const ids = Object.keys(drafts);
  useUnsaved(ids.length > 0);
  // Also while they are not on the page, or what somebody else does to them would go unnoticed.
  const { data = [], ...followed } = useGetMany<Row>(resource, { ids }, { enabled: ids.length > 0, refetchOnMount: 'always' });
  const isFollowed = followed.isFetchedAfterMount && !followed.isPlaceholderData;
  /** The draft of a record; without one, its stored values. */
  const draftOf = useCallback(
    (row: Row): Draft<Value, Row> => store.seen().drafts[row.id] ?? { value: valueOf(row), saw: row },
    [store, valueOf],
  );
  /** A value that equals the stored one is no draft. */
  const put = useCallback(
    ({ value, saw }: Draft<Value, Row>): void =>
      same(value, valueOf(saw)) ? store.discard([saw.id]) : store.put({ [saw.id]: { value, saw } }),
    [store, valueOf],
  );
  const change = useCallback(
    (row: Row, values: Partial<Value>): void => {
      const { value, saw } = draftOf(row);
      put({ value: { ...value, ...values }, saw });
    },
    [draftOf, put],
  );
  const discard = useCallback((id: string): void => store.discard([id]), [store]);
  return {
    store,
    drafts,
    troubles,
    ids,
    /** The edited records as they are stored now; undefined: not read yet. */
    now: isFollowed ? new Map(data.map((row) => [row.id, row])) : undefined,
    isChanged: (id: string): boolean => drafts[id] !== undefined,
    draftOf,
    put,
    change,
    discard,
  };
};
