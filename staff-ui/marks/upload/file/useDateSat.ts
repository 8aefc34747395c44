import { wrongDaySat } from '#api/contract/rules';
import { useState } from 'react';

/** The day on which the assessments of a file were sat, until it is stored. Nothing typed: the day of the first mark. */
export const useDateSat = () => {
  const [typed, type] = useState('');
  const [now] = useState(() => new Date());
  return {
    typed,
    type,
    wrong: typed === '' ? undefined : wrongDaySat(typed, now),
    /** As requests take it. */
    said: typed === '' ? {} : { satOn: typed },
  };
};

export type DateSat = ReturnType<typeof useDateSat>;
