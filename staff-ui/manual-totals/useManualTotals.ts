import { useRef } from 'react';
import { uuid } from '../../ui/api/uuid.ts';
import { inOrder } from '../format.ts';
import { useMarkbook } from '../queries.ts';
import type { Form } from '../typing/typed.ts';
import { formKey } from '../typing/typed.ts';
import { useTyped, useTyping } from '../typing/Typing.tsx';
import type { EntryRow } from './entry.ts';
import { cellsOf, changesInWords, errorOf, meanwhile, rowsOf } from './entry.ts';

/** The input for a class and a test until it is submitted. Each opening of the form is one entry, whose saves are numbered. */
export const useManualTotals = (form: Form, yearGroupId: string, max: number) => {
  const { typed: kept, outcomes, submit, forgetOutcome } = useTyping();
  const markbook = useMarkbook(yearGroupId);
  const key = formKey(form);
  const state = useTyped()[key];
  const outcome = outcomes.get(key);
  const entryId = useRef(uuid());
  const seq = useRef(0);

  const over = { typed: state?.typed ?? {}, saw: state?.saw ?? {} };
  const rows = markbook.data ? rowsOf(markbook.data, form.setId, form.testId, inOrder) : [];
  const shown = Object.fromEntries(rows.map(({ studentId, stored }) => [studentId, stored]));
  const textOf = ({ studentId, stored }: EntryRow): string => over.typed[studentId] ?? stored;
  const valid = rows.every((row) => errorOf(textOf(row), max) === undefined);
  const cells = cellsOf(rows, over, form.testId);
  const refusedOf = (studentId: string) => (outcome?.refused ?? []).find((one) => one.studentId === studentId);

  return {
    markbook,
    rows,
    valid,
    typedInto: cells.length,
    inWords: changesInWords(rows, cells),
    textOf,
    type: (studentId: string, text: string) => kept.type(form, { [studentId]: text }, shown),
    noteFor: (row: EntryRow) => (state?.save === undefined ? meanwhile(row, over) : undefined) ?? row.note,
    errorFor: (row: EntryRow) => {
      const refused = refusedOf(row.studentId);
      const isTypedAnew = refused !== undefined && String(refused.is) !== textOf(row).trim();
      return errorOf(textOf(row), max) ?? (isTypedAnew ? undefined : refused?.message);
    },
    /** Empties what holds something; nothing is typed into the other fields. */
    clear: () =>
      kept.type(form, Object.fromEntries(rows.map(({ studentId, stored }) => [studentId, stored === '' ? undefined : ''])), shown),
    submit: () =>
      submit(form, {
        entryId: entryId.current,
        subjectId: form.subjectId,
        seq: ++seq.current,
        cells,
        key: uuid(),
        typedAt: new Date().toISOString(),
      }),
    saving: state?.save !== undefined,
    error: outcome?.error,
    done: outcome !== undefined && outcome.error === undefined && outcome.refused.length === 0,
    hideDone: () => forgetOutcome(key),
  };
};

export type ManualTotals = ReturnType<typeof useManualTotals>;
