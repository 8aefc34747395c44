import { isAway } from '#api/contract/attendance';
import { useState } from 'react';
import type { Step } from '../grid/history.ts';
import type { Table } from '../grid/table.ts';
import { cellIn } from '../../../ui/marks/mark-drafts.ts';
import type { SheetModel } from './model/useSheet.ts';

type Asked = {
  /** Cells of attendance. */
  readonly away: readonly string[];
  /** What was said of the cells before. */
  readonly before: Step;
};

/** Whoever types a mark for a student who is absent or exempt is asked whether that student sat it after all. */
export const useAfterAll = (model: SheetModel) => {
  const { table, rows } = model;
  const [asked, setAsked] = useState<Asked>();
  const type: Table['type'] = (texts, how) => {
    const keys = Object.keys(texts).filter((key) => texts[key] !== '' && cellIn(key)?.kind === 'mark');
    const away = model.awayIn(keys);
    if (away.length > 0) {
      const ownStates = table.ownOf(keys.filter((key) => model.awayIn([key]).length > 0));
      setAsked((before) => {
        const isKnown = new Set(before?.before.map(({ key }) => key));
        return {
          away: [...new Set([...(before?.away ?? []), ...away])],
          before: [...(before?.before ?? []), ...ownStates.filter(({ key }) => !isKnown.has(key))],
        };
      });
    }
    return table.type(texts, how);
  };
  /** Those that are still away: it may have been said otherwise meanwhile. */
  const away = asked?.away.filter((key) => isAway(table.textOf(key))) ?? [];
  const [only] = away;
  const name = only === undefined ? undefined : rows[table.placeOf(only)?.row ?? -1]?.name;
  return {
    table: { ...table, type },
    question:
      only === undefined || !asked
        ? undefined
        : {
            words:
              away.length === 1
                ? `${name} is ${table.textOf(only)}. Did they sit it after all?`
                : `${away.length} students with these marks are absent or exempt. Did they sit it after all?`,
            sat: () => {
              void table.type(Object.fromEntries(away.map((key) => [key, 'sat'])), 'one');
              setAsked(undefined);
            },
            /** The marks go again, as if they had not been typed. */
            stays: () => {
              table.takeBack(asked.before);
              setAsked(undefined);
            },
          },
  };
};
