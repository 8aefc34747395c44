import { useState } from 'react';
import { readPreference, writePreference } from '../site/preferences.ts';
import type { ChooseRows, RowsAPage } from './Pager.tsx';

/** How many of so many rows a page shows: the first choice unless somebody chooses otherwise, which the device remembers under `name`. `size`: at least 1. */
export const useRowsAPage = (
  count: number,
  choices: readonly [number, ...RowsAPage[]],
  name: string,
): { readonly size: number; readonly rows: ChooseRows } => {
  const key = `marktrail_${name}`;
  const [chosen, setChosen] = useState<RowsAPage>(() => choices.find((one) => String(one) === readPreference(key)) ?? choices[0]);
  const choose = (rows: RowsAPage) => {
    writePreference(key, String(rows));
    setChosen(rows);
  };
  return { size: chosen === 'all' ? Math.max(1, count) : chosen, rows: { choices, chosen, choose } };
};

/** The topics that a class or a student stands in. */
export const TOPIC_ROWS = [5, 15, 'all'] as const;
