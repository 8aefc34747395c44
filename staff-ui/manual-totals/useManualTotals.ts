import { useRef, useState } from 'react';
import { uuid } from '../../ui/api/uuid.ts';
import { naturalOrder } from '#api/contract/order';
import { useMarkbook } from '../queries.ts';
import type { Form } from '../typing/queue.ts';
import { draftsOf, isSaving, totalKey } from '../typing/queue.ts';
import { useTyped, useTyping } from '../typing/Typing.tsx';
import type { EntryRow } from './entry.ts';
import { cellsOf, changesInWords, errorOf, meanwhile, overOf, rowsOf } from './entry.ts';

/** The input for a class and a test until it is submitted. Each opening of the form is one entry, whose saves are numbered. */
export const useManualTotals = (form: Form, yearGroupId: string, max: number) => {
  const { typed: store, send } = useTyping();
  const markbook = useMarkbook(yearGroupId);
  const kept = useTyped();
  const entryId = useRef(uuid());
  const saves = useRef(0);
  const [done, setDone] = useState(false);

  const over = overOf(draftsOf(kept.drafts, form));
  const rows = markbook.data ? rowsOf(markbook.data, form.setId, form.testId, naturalOrder) : [];
  const keyOf = ({ studentId }: Pick<EntryRow, 'studentId'>): string => totalKey(form, studentId);
  const textOf = ({ studentId, stored }: EntryRow): string => over.typed[studentId] ?? stored;
  const valid = rows.every((row) => errorOf(textOf(row), max) === undefined);
  const cells = cellsOf(rows, over, form.testId);
  const saving = isSaving(kept, form);
  const troubles = rows.flatMap((row) => kept.troubles[keyOf(row)] ?? []);

  const submit = async () => {
    setDone(false);
    const seq = ++saves.current;
    const typedAt = now();
    const inputOf = (drafts: typeof kept.drafts) => ({
      entryId: entryId.current,
      subjectId: form.subjectId,
      seq,
      cells: cellsOf(rows, overOf(draftsOf(drafts, form)), form.testId),
      typedAt,
    });
    setDone(await store.save(rows.map(keyOf), inputOf, send));
  };

  return {
    markbook,
    rows,
    valid,
    typedInto: cells.length,
    inWords: changesInWords(rows, cells),
    textOf,
    type: (row: EntryRow, text: string) => store.type({ [keyOf(row)]: { value: text, saw: row.stored } }),
    noteFor: (row: EntryRow) => (saving ? undefined : meanwhile(row, over)) ?? row.note,
    errorFor: (row: EntryRow) => {
      const trouble = kept.troubles[keyOf(row)];
      return errorOf(textOf(row), max) ?? (trouble?.ofAll ? undefined : trouble?.reason);
    },
    /** Empties what holds something; nothing is typed into the other fields. */
    clear: () => {
      const [full, empty] = [rows.filter(({ stored }) => stored !== ''), rows.filter(({ stored }) => stored === '')];
      store.type(Object.fromEntries(full.map((row) => [keyOf(row), { value: '', saw: row.stored }])));
      store.discard(empty.map(keyOf));
    },
    submit: () => void submit(),
    saving,
    /** Why nothing of the last save was taken. */
    error: troubles.find(({ ofAll }) => ofAll)?.reason,
    done,
    hideDone: () => setDone(false),
  };
};

const now = (): string => new Date().toISOString();

export type ManualTotals = ReturnType<typeof useManualTotals>;
