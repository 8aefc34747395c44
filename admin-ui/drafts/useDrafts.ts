import { useCallback } from 'react';
import type { RaRecord } from 'react-admin';
import { useDataProvider, useUpdate } from 'react-admin';
import type { ApiRefusal } from '../../ui/api/failure.ts';
import { isCertain } from '../../ui/api/failure.ts';
import type { SendCommand } from '../../ui/sending/useSend.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import type { Draft } from '../../ui/drafts/drafts.ts';
import { same } from '../../ui/drafts/drafts.ts';
import type { Trouble } from '../../ui/drafts/seen.ts';
import { troubleOf } from '../../ui/drafts/seen.ts';
import { rebaseOn } from '../../ui/drafts/useDraftStore.ts';
import { useRecordDrafts } from './useRecordDrafts.ts';

/** Errors by field; `''`: about the record as a whole. */
export type DraftErrors = Readonly<Record<string, string>>;

/** By record: what is stored now, and what of it changes. */
type Changes<Row> = Readonly<Record<string, Change<Row>>>;
type Change<Row> = { readonly before: Row; readonly changes: Partial<Row> };

/** Stores the changes of several records by one command, all or nothing. Resolves to what undoes that. */
export type SaveTogether<Row> = (
  changes: readonly Change<Row>[],
  command: SendCommand,
) => Promise<(command: SendCommand) => Promise<unknown>>;

/**
 * A list that is edited in place and saved by one button. Each record is saved whole or not at all, or all of them are (`together`); a refused
 * one keeps its input and shows the reason. If somebody else changes a record that is being edited, a message says so at once, and Save overwrites that change.
 *
 * The list may be paged, searched and sorted: input is kept while other records are shown, and Save stores all of it.
 *
 * @param listed the current records of the page; undefined: still loading
 */
export const useDrafts = <Row extends RaRecord<string>>(
  resource: string,
  listed: readonly Row[] | undefined,
  together?: SaveTogether<Row>,
) => {
  const records = useRecordDrafts<Row, Row, Changes<Row>>({ resource, valueOf: asItIs, asStored: asItIs });
  const { store, drafts, troubles, ids, change } = records;
  const [update] = useUpdate<Row>();
  const provider = useDataProvider();
  const now = new Map([...(records.now?.values() ?? []), ...(listed ?? [])].map((row) => [row.id, row]));
  const isGone = (id: string): boolean => records.now !== undefined && listed !== undefined && drafts[id] !== undefined && !now.has(id);
  /** What others did to a record since editing began. */
  const othersDid = (id: string): DraftErrors => {
    const [draft, row] = [drafts[id], now.get(id)];
    if (isGone(id)) return { '': GONE };
    return draft && row && row['version'] !== draft.saw['version'] ? { '': CHANGED } : {};
  };

  const oneByOne = async (input: Changes<Row>, answers: Map<string, Row>): Promise<Readonly<Record<string, Trouble>>> => {
    const wrong: Record<string, Trouble> = {};
    for (const [id, { before, changes }] of Object.entries(input))
      try {
        // In sequence, because they share a stream.
        // oxlint-disable-next-line no-await-in-loop
        const row = await update(resource, { id, data: { ...before, ...changes }, previousData: before }, HOW);
        if (row) answers.set(id, row);
      } catch (error) {
        wrong[id] = troubleOf(error);
      }
    return wrong;
  };
  const { request, pending, answer, forget } = useSend({
    act: async (saved: readonly string[], command) => {
      const answers = new Map<string, Row>();
      let back: Awaited<ReturnType<SaveTogether<Row>>> | undefined;
      const isAll = await store.save(
        saved,
        // After a notice that the record has changed, saving overwrites the new version.
        (all) =>
          Object.fromEntries(
            Object.entries(all).map(([id, draft]) => [id, { before: now.get(id) ?? draft.saw, changes: changesIn(draft) }]),
          ),
        async ({ input }) => {
          if (!together) return oneByOne(input, answers);
          try {
            back = await together(Object.values(input), command);
            return {};
          } catch (error) {
            if (!isCertain(error)) throw error;
            return troublesOfAll(Object.keys(input), error);
          }
        },
      );
      const typedSince = back ? Object.keys(store.seen().drafts) : [];
      if (typedSince.length > 0)
        for (const row of (await provider.getMany<Row>(resource, { ids: typedSince })).data) answers.set(row.id, row);
      rebaseOn(store, answers);
      return { isAll, back };
    },
    invalidates: 'everything',
    notice: ({ back }) => back && SAVED,
    undo: ({ back }) => back,
  });

  const shown = (row: Row): Row => {
    const draft = drafts[row.id];
    return draft ? { ...row, ...changesIn(draft) } : row;
  };
  const onPage = new Set(listed?.map(({ id }) => id));
  const edited = Object.entries(drafts).map(([id, { saw }]) => now.get(id) ?? saw);
  const elsewhere = edited.filter(({ id }) => !onPage.has(id));
  const astray = elsewhere.filter(({ id }) => isGone(id) || troubles[id]);

  return {
    ...records,
    /** The stored records of the page, and edited ones from other pages that were removed by somebody else or refused. */
    rows: [...(listed ?? []), ...astray],
    /** The number of edited records that are not shown. */
    elsewhere: elsewhere.length - astray.length,
    /** The edited records, with their changes. */
    typed: edited.map(shown),
    /** A record with its unsaved changes. */
    shown,
    change: useCallback(
      (row: Row, values: Partial<Row>) => {
        forget();
        change(row, values);
      },
      [forget, change],
    ),
    errorsOf: (id: string): DraftErrors => ({ ...errorsIn(troubles[id]), ...othersDid(id) }),
    changed: ids.length,
    saving: pending,
    /** Everything has just been saved, and no notice says so. */
    done: answer?.isAll === true && !answer.back,
    /** Why nothing could be saved. */
    refusal: pending ? undefined : Object.values(troubles).find(({ ofAll }) => ofAll)?.reason,
    /** Resolves to whether everything is saved. */
    save: () =>
      request(ids).then(
        ({ isAll }) => isAll,
        () => false,
      ),
  };
};

const asItIs = <Row>(row: Row): Row => row;
export const SAVED = 'Submitted successfully!';
const HOW = { returnPromise: true, mutationMode: 'pessimistic' } as const;
const CHANGED = 'Somebody else has changed this meanwhile. Save to store what you typed in its place, or reload to see theirs.';
const GONE = 'Somebody else has deleted this meanwhile. It can no longer be saved: reload the page to discard your changes.';

const changesIn = <Row extends RaRecord>({ value, saw }: Draft<Row, Row>): Partial<Row> =>
  Object.fromEntries(Object.entries(value).filter(([field, is]) => !same(is, saw[field]))) as Partial<Row>;

const errorsIn = (trouble: Trouble | undefined): DraftErrors => {
  if (!trouble) return {};
  const { fields = {}, reason, ofAll } = trouble;
  return ofAll || Object.keys(fields).length > 0 ? fields : { '': reason };
};

/** Nothing is stored. The server names records by their place: `changes.3.name`; what is not about a field is about the record. */
const troublesOfAll = (ids: readonly string[], { errors, message: reason }: ApiRefusal): Readonly<Record<string, Trouble>> => {
  const byRow = Map.groupBy(errors, ({ path }) => path.split('.')[1]);
  return Object.fromEntries(
    ids.map((id, index) => {
      const about = (path: string): string => (path.split('.')[2] ?? 'was').replace(/^was$/, '');
      const fields = Object.fromEntries((byRow.get(String(index)) ?? []).map(({ path, message }) => [about(path), message]));
      return [id, { kind: 'refused', reason, fields, ofAll: true }] as const;
    }),
  );
};
