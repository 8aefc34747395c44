/** What the axes and grids of all pictures have in common. */
export const axis = { stroke: 'var(--line)', tick: { fill: 'var(--muted)' }, tickLine: false } as const;
export const grid = { stroke: 'var(--hairline)' } as const;
/** A line or range for comparison. */
export const guide = { stroke: 'var(--ink)', strokeDasharray: '3 3' } as const;
export const PERCENT = { domain: [0, 100], ticks: [0, 25, 50, 75, 100] } as const;
export const percentTick = (value: number): string => `${value} %`;
/** As wide as the page; the height is the picture's own. */
export const sized = (height: number) => ({ responsive: true, accessibilityLayer: false, style: { width: '100%', height } }) as const;
