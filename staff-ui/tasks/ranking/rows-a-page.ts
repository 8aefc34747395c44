import { useState } from 'react';
import { readPreference, writePreference } from '../../../ui/site/preferences.ts';
import type { ChooseRows, RowsAPage } from '../../../ui/table/Pager.tsx';

/** 15 unless somebody chooses otherwise. */
const CHOICES: readonly RowsAPage[] = [15, 50, 'all'];
const NAME = 'marktrail_rows_a_page';

/** How many of so many rows a page shows: remembered on the device. `size`: at least 1. */
export const useRowsAPage = (count: number): ChooseRows & { readonly size: number } => {
  const [chosen, setChosen] = useState<RowsAPage>(() => CHOICES.find((rows) => String(rows) === readPreference(NAME)) ?? 15);
  const choose = (rows: RowsAPage) => {
    writePreference(NAME, String(rows));
    setChosen(rows);
  };
  return { size: chosen === 'all' ? Math.max(1, count) : chosen, choices: CHOICES, chosen, choose };
};
