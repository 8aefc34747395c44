import { wrongDaySatBy } from '#api/contract/rules';
import { useState } from 'react';
import { localDate } from '../../../as-of/moments.ts';

/** The day on which the assessments of a file were sat, until it is stored. Nothing typed: the day of the first mark. */
export const useDateSat = () => {
  const [typed, type] = useState('');
  const [today] = useState(() => localDate(new Date()));
  return {
    typed,
    type,
    wrong: typed === '' ? undefined : wrongDaySatBy(typed, today),
    /** As requests take it. */
    said: typed === '' ? {} : { satOn: typed },
  };
};

export type DateSat = ReturnType<typeof useDateSat>;
