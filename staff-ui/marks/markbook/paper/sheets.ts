import type { Column, MarkbookTest } from '../view.ts';

/** What stands side by side on a page; `at`: the place of the test among all of them. */
export type Sheet = {
  readonly columns: readonly Column[];
  readonly tests: readonly { readonly test: MarkbookTest; readonly at: number }[];
};

/** px */
export const widths = { name: 160, set: 60, test: 104, of: ({ of }: Column): number => (of === 'class' ? 140 : 64) } as const;

/** Of the narrower of A4 and Letter, lying on its side. */
const WIDTH = 970;

/** The ranking stands on the first sheet, and on each as many tests as there is room for. */
export const sheetsOf = (columns: readonly Column[], tests: readonly MarkbookTest[]): readonly Sheet[] => {
  const room = (beside: readonly Column[]): number =>
    Math.max(0, Math.floor((WIDTH - beside.reduce((sum, column) => sum + widths.of(column), widths.name + widths.set)) / widths.test));
  const all = tests.map((test, at) => ({ test, at }));
  const [first, each] = [room(columns), room([])];
  const further = Array.from({ length: Math.ceil(Math.max(0, all.length - first) / each) }, (_, index) => ({
    columns: [],
    tests: all.slice(first + index * each, first + (index + 1) * each),
  }));
  return [{ columns, tests: all.slice(0, first) }, ...further];
};
