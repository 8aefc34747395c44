import { wrongDaySatBy } from '#api/contract/rules';
import { useState } from 'react';
import { localDate } from '../../../as-of/moments.ts';

/** The day on which the assessments of a file were sat, until it is stored. Nothing typed: the day of the first mark. */
export const useDateSat = () => {
  const [typed, type] = useState('');
  return {
    typed,
    type,
    wrong: typed === '' ? undefined : wrongDaySatBy(typed, localDate(new Date())),
    /** As requests take it. */
    said: typed === '' ? {} : { satOn: typed },
  };
};

export type DateSat = ReturnType<typeof useDateSat>;
