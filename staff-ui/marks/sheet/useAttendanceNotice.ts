import { isAway } from '#api/contract/attendance';
import { useState } from 'react';
import { counted } from '../../format.ts';
import { cellIn } from '../../../ui/marks/mark-drafts.ts';
import type { Table } from '../grid/table.ts';
import type { SheetModel } from './model/useSheet.ts';

/** Of one student: from what to what, and what was entered. `total`: of staff; undefined: none. */
type Change = { readonly name: string; readonly from: string; readonly to: string; readonly total: number | undefined };

/** What follows for totals from who sat it: it is said until something else is done. */
export const useAttendanceNotice = ({ rows, totalAt }: Pick<SheetModel, 'rows' | 'totalAt'>, table: Table) => {
  const [words, setWords] = useState<string>();
  const type: Table['type'] = (texts, how) => {
    const changes = Object.entries(texts).flatMap(([key, to]): Change[] => {
      const row = cellIn(key)?.kind === 'attendance' ? table.placeOf(key)?.row : undefined;
      const [head, from] = [row === undefined ? undefined : rows[row], table.textOf(key)];
      return row === undefined || !head || from === to ? [] : [{ name: head.name, from, to, total: totalAt(row) }];
    });
    setWords(attendanceWords(changes));
    return table.type(texts, how);
  };
  const forgetting =
    <Given extends readonly unknown[], Answer>(act: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      setWords(undefined);
      return act(...given);
    };
  return { words, table: { ...table, type, takeBack: forgetting(table.takeBack), sayAgain: forgetting(table.sayAgain) } };
};

/** 'Barnes, William is absent: the total of 17 no longer counts.', '3 students sat it: 2 totals count again.'; undefined: nothing changes. */
export const attendanceWords = (changes: readonly Change[]): string | undefined => {
  const [first] = changes;
  if (!first) return undefined;
  const totals = changes.flatMap(({ total }) => total ?? []);
  const who = changes.length === 1 ? first.name : counted(changes.length, 'student');
  const are = first.to === 'sat' ? 'sat it' : `${changes.length === 1 ? 'is' : 'are'} ${first.to}`;
  if (totals.length === 0) return `${who} ${are}.`;
  const what = changes.length === 1 ? `the total of ${totals[0]}` : counted(totals.length, 'total');
  const count = totals.length === 1 ? 'counts' : 'count';
  const wasAway = changes.every(({ from }) => isAway(from));
  const isNow =
    first.to === 'sat' ? `${count} again` : wasAway ? `still ${totals.length === 1 ? 'does' : 'do'} not count` : `no longer ${count}`;
  return `${who} ${are}: ${what} ${isNow}.`;
};
