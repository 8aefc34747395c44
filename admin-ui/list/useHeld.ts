import { useState } from 'react';
import type { RaRecord } from 'react-admin';

/** The records of a list, including one whose form is open (its id) after somebody else has removed it, so that its input stays. */
export const useHeld = <Row extends RaRecord<string>>(rows: readonly Row[], id: string | undefined): readonly Row[] => {
  const [held, setHeld] = useState<Row>();
  if (id === undefined) return rows;
  const row = rows.find((one) => one.id === id);
  if (row && row !== held) setHeld(row);
  return row || held?.id !== id ? rows : [...rows, held];
};
