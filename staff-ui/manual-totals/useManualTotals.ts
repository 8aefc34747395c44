import { useRef } from 'react';
import { uuid } from '../../ui/api/uuid.ts';
import { inOrder } from '../format.ts';
import { useMarkbook } from '../session/questions.ts';
import type { Form } from '../typing/typed.ts';
import { formKey } from '../typing/typed.ts';
import { useTyped, useTyping } from '../typing/Typing.tsx';
import { cellsOf, errorOf, rowsOf } from './entry.ts';

/** What is typed for a class and a test, until it is submitted. One opening of the form is one sitting: an entry, whose saves are counted. */
export const useManualTotals = (form: Form, yearGroupId: string) => {
  const { typed: kept, outcomes, submit, forgetOutcome } = useTyping();
  const markbook = useMarkbook(yearGroupId);
  const key = formKey(form);
  const state = useTyped()[key];
  const outcome = outcomes.get(key);
  const entryId = useRef(uuid());
  const seq = useRef(0);

  const typed = new Map(Object.entries(state?.typed ?? {}));
  const test = markbook.data?.tests.find((one) => one.testId === form.testId);
  const rows = markbook.data && test ? rowsOf(markbook.data, form.setId, test.testId, inOrder) : [];
  const max = test?.max ?? 0;
  const textOf = (studentId: string, stored: string): string => typed.get(studentId) ?? stored;
  const valid = rows.every(({ studentId, stored }) => errorOf(textOf(studentId, stored), max) === undefined);
  const cells = test ? cellsOf(rows, typed, test.testId) : [];
  const refusedOf = (studentId: string) => (outcome?.refused ?? []).find((one) => one.studentId === studentId);

  return {
    markbook,
    rows,
    max,
    valid,
    changed: cells.length,
    textOf,
    type: (studentId: string, text: string) => {
      const isStored = rows.some((row) => row.studentId === studentId && row.stored === text);
      kept.type(form, { [studentId]: isStored ? undefined : text });
    },
    errorFor: (studentId: string, stored: string) => {
      const refused = refusedOf(studentId);
      const isTypedAnew = refused !== undefined && String(refused.is) !== textOf(studentId, stored).trim();
      return errorOf(textOf(studentId, stored), max) ?? (isTypedAnew ? undefined : refused?.message);
    },
    clear: () => kept.type(form, Object.fromEntries(rows.map(({ studentId }) => [studentId, '']))),
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
