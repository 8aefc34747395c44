/** What the axes and grids of all pictures have in common. */
export const axis = { stroke: 'var(--line)', tick: { fill: 'var(--muted)' }, tickLine: false } as const;
export const grid = { stroke: 'var(--hairline)' } as const;
/** A line or range for comparison. */
export const guide = { stroke: 'var(--ink)', strokeDasharray: '3 3' } as const;
export const PERCENT = { domain: [0, 100], ticks: [0, 25, 50, 75, 100] } as const;
export const percentTick = (value: number): string => `${value} %`;
/** As wide as the page; the height is the picture's own. */
export const sized = (height: number) => ({ responsive: true, accessibilityLayer: false, style: { width: '100%', height } }) as const;

type Named = { readonly id: string; readonly name: string };
/** Rows that are called by their names, with room for these. */
export const namedRows = (rows: readonly Named[]) => {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const width = Math.min(140, 14 + Math.max(0, ...rows.map(({ name }) => name.length)) * 7);
  return {
    ...axis,
    type: 'category',
    dataKey: 'id',
    interval: 0,
    width,
    tickFormatter: (id: string) => shortened(names.get(id) ?? ''),
  } as const;
};
/** A name that leaves room for the bars. */
const shortened = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
