import { Bar, BarChart, XAxis, YAxis } from 'recharts';
import { axis, namedRows, PERCENT, percentTick, sized } from './axes.ts';
import { Mark, Picture } from './Picture.tsx';
import styles from './Picture.module.css';

export type StackRow = {
  readonly id: string;
  readonly name: string;
  /** Parallel to `parts`: in per cent of the row. */
  readonly shares: readonly number[];
  /** Parallel to `parts`: '11X1: 2 marks, 31.0 %, 9 of 29 students'. */
  readonly labels: readonly string[];
};

type StackPictureProps = {
  readonly label: string;
  /** From the least to the most: their names stand in the segments. */
  readonly parts: readonly string[];
  readonly rows: readonly StackRow[];
};

/** How the students of each row share out, as segments of a bar of 100 %: the more, the darker. */
export const StackPicture = ({ label, parts, rows }: StackPictureProps) => {
  return (
    <Picture label={label} first={rows[0] && `${rows[0].id} 0`}>
      <BarChart
        {...sized(rows.length * 28 + 40)}
        layout="vertical"
        data={[...rows]}
        margin={{ top: 4, right: 16, bottom: 0, left: 0 }}
        barSize={20}
      >
        <XAxis {...axis} domain={[0, 100]} ticks={[...PERCENT.ticks]} type="number" tickFormatter={percentTick} />
        <YAxis {...namedRows(rows)} />
        {parts.map((part, index) => (
          <Bar
            key={part}
            stackId="all"
            dataKey={({ shares }: StackRow) => shares[index] ?? 0}
            isAnimationActive={false}
            shape={drawing(part, index, shade(index, parts.length))}
          />
        ))}
      </BarChart>
    </Picture>
  );
};

/** Ink is read on each of them, in both themes. */
const shade = (index: number, count: number): string =>
  `color-mix(in srgb, var(--brand) ${Math.round((45 * index) / Math.max(1, count - 1))}%, var(--surface))`;

const drawing =
  (part: string, index: number, fill: string) =>
  ({ x = 0, y = 0, width = 0, height = 0, payload }: { x?: number; y?: number; width?: number; height?: number; payload?: StackRow }) =>
    payload && (payload.shares[index] ?? 0) > 0 ? (
      <Mark id={`${payload.id} ${index}`} label={payload.labels[index] ?? ''}>
        <rect x={x} y={y} width={width} height={height} className={styles.part} fill={fill} />
        {width > 8 + part.length * 7 && (
          <text x={x + width / 2} y={y + height / 2} textAnchor="middle" dominantBaseline="central" className={styles.inside}>
            {part}
          </text>
        )}
      </Mark>
    ) : (
      <g />
    );
