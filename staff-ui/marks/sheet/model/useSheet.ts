import type { Sheet } from '#api/marks/sheet.contract';
import { useMemo, useState } from 'react';
import type { SheetKey } from '../../../../ui/marks/mark-drafts.ts';
import { isSameSheet } from '../../../../ui/marks/mark-drafts.ts';
import type { Place } from '../../grid/place.ts';
import type { Table } from '../../grid/table.ts';
import { useMarkDrafts, useTyping } from '../../Typing.tsx';
import type { Kind } from './cells.ts';
import { questionsOf } from './cells.ts';
import { sheetView, storedSheet, typedSheet } from './sheet-view.ts';
import { useOthersChanges } from './useOthersChanges.ts';
import { useSheetInput } from './useSheetInput.ts';

export type SheetModel = ReturnType<typeof useSheet>;

/** A sheet with what is typed into it: what each cell shows, what is missing, and what typing does. */
export const useSheet = (sheet: Sheet, sheetKey: SheetKey, kind: Kind) => {
  const { lastSaves } = useTyping();
  const seen = useMarkDrafts();
  const [mistyped, setMistyped] = useState<Readonly<Record<string, string>>>({});
  const { questions: asked, max } = sheet;
  const questions = useMemo(() => questionsOf({ questions: asked, max }, kind), [asked, max, kind]);
  const stored = useMemo(() => storedSheet(sheet, sheetKey, kind, questions), [sheet, sheetKey, kind, questions]);
  const typed = useMemo(() => typedSheet(stored, seen.drafts, mistyped), [stored, seen.drafts, mistyped]);
  const view = sheetView(typed, seen);
  const { turned, discard, submit, ...input } = useSheetInput(typed, view, setMistyped);
  const others = useOthersChanges(stored.stored, seen.batches, turned);
  const table: Table = { ...view.cells, ...input };
  return {
    ...view,
    cellAt: (place: Place) => view.cellAt(place, others.noteOf(table.keyAt(place))),
    table,
    discard,
    submit,
    savedAt: lastSaves.find((one) => isSameSheet(one.sheetKey, sheetKey))?.at,
    othersChanges: others.text,
  };
};
