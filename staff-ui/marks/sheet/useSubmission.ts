import { useState } from 'react';
import type { Table } from '../grid/table.ts';
import { useTyping } from '../Typing.tsx';
import type { SheetModel } from './model/useSheet.ts';
import { storedIn, submittedWords } from './submitted.ts';

/** Submits a sheet of marks, and says what that comes to with what was stored since it was opened or last submitted, until it is typed into. */
export const useSubmission = (model: SheetModel, table: Table) => {
  const { statements } = useTyping();
  const [before, setBefore] = useState(() => statements.saves());
  const [submission, setSubmission] = useState<'going' | { readonly words: string }>();
  const typedOn = () => setSubmission((now) => (now === 'going' ? now : undefined));
  return {
    submission,
    /** Resolves to whether everything was taken and is a mark. */
    submit: async (): Promise<boolean> => {
      setSubmission('going');
      const isTaken = await model.submit();
      // What was refused before may have been taken now; a text that is no mark was not sent.
      const isDone = isTaken && model.isValid;
      setSubmission(
        isDone ? { words: submittedWords('mark', storedIn(statements.changesSince(before), model.sheetKey), model.progress) } : undefined,
      );
      if (isDone) setBefore(statements.saves());
      return isDone;
    },
    table: {
      ...table,
      type: (...typed) => {
        typedOn();
        return table.type(...typed);
      },
      takeBack: (step) => {
        typedOn();
        return table.takeBack(step);
      },
      sayAgain: (step) => {
        typedOn();
        return table.sayAgain(step);
      },
    } satisfies Table,
  };
};
