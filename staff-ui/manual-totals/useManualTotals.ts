import type { MarksEnteredAnswer } from '#contract/marks';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi, useMoved } from '../../ui/api/ApiProvider.tsx';
import { uuid } from '../../ui/api/uuid.ts';
import { useWork } from '../../ui/feedback/Work.tsx';
import { counted, inOrder } from '../format.ts';
import { useMarkbook } from '../session/questions.ts';
import { useDraft } from './draft.ts';
import { cellsOf, errorOf, rowsOf } from './entry.ts';

/** What is typed for a class and a test, until it is submitted. One opening of the form is one sitting: an entry, whose saves are counted. */
export const useManualTotals = (
  subjectId: string,
  yearGroupId: string | undefined,
  setId: string | undefined,
  testId: string | undefined,
) => {
  const api = useApi();
  const moved = useMoved();
  const { run } = useWork();
  const markbook = useMarkbook(yearGroupId);
  const { typed, setTyped } = useDraft(`${setId} ${testId}`);
  const [refused, setRefused] = useState<MarksEnteredAnswer['refused']>([]);
  const [done, setDone] = useState(false);
  const entryId = useRef(uuid());
  const seq = useRef(0);

  const test = markbook.data?.tests.find((one) => one.testId === testId);
  const rows = markbook.data && setId && test ? rowsOf(markbook.data, setId, test.testId, inOrder) : [];
  const max = test?.max ?? 0;
  const textOf = (studentId: string, stored: string): string => typed.get(studentId) ?? stored;
  const valid = rows.every(({ studentId, stored }) => errorOf(textOf(studentId, stored), max) === undefined);
  const cells = test ? cellsOf(rows, typed, test.testId) : [];

  const save = useMutation({
    mutationFn: ({ number, key }: { readonly number: number; readonly key: string }) =>
      run({ label: `Storing ${counted(cells.length, 'total')}` }, () =>
        api.command('EnterMarks', { entryId: entryId.current, subjectId, seq: number, cells }, { key }),
      ),
    onSuccess: async ({ result }) => {
      await moved([`marks:${subjectId}`]);
      setRefused(result.refused);
      /** What was refused stays in its field, with the reason beside it. */
      setTyped((before) => new Map(result.refused.flatMap(({ studentId }) => [[studentId, before.get(studentId) ?? ''] as const])));
      setDone(result.refused.length === 0);
    },
  });

  const type = (studentId: string, text: string) => {
    setTyped((before) => {
      const after = new Map(before).set(studentId, text);
      if (rows.some((row) => row.studentId === studentId && row.stored === text)) after.delete(studentId);
      return after;
    });
    setRefused((before) => before.filter((one) => one.studentId !== studentId));
  };

  return {
    markbook,
    rows,
    max,
    valid,
    changed: cells.length,
    textOf,
    type,
    errorFor: (studentId: string, stored: string) =>
      errorOf(textOf(studentId, stored), max) ?? refused.find((one) => one.studentId === studentId)?.message,
    clear: () => setTyped(new Map(rows.map(({ studentId }) => [studentId, '']))),
    /** A save that failed may have arrived: the next one has a number of its own and repeats what is still typed. */
    submit: () => save.mutate({ number: ++seq.current, key: uuid() }),
    saving: save.isPending,
    error: save.error,
    done,
    hideDone: () => setDone(false),
  };
};

export type ManualTotals = ReturnType<typeof useManualTotals>;
