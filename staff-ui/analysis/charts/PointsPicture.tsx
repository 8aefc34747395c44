import { CartesianGrid, ReferenceArea, ReferenceLine, Scatter, ScatterChart, XAxis, YAxis } from 'recharts';
import { axis, grid, guide, sized } from './axes.ts';
import { Mark, Picture } from './Picture.tsx';
import styles from './Picture.module.css';

export type Point = {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** What the dot says: 'Question 7: facility 0.4, discrimination 0.3'. */
  readonly label: string;
  /** warn: it needs a look; weak: it says little. */
  readonly tone?: 'warn' | 'weak' | undefined;
};

type Axis = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly text?: (value: number) => string;
};
type PointsPictureProps = {
  readonly label: string;
  readonly points: readonly Point[];
  readonly x: Axis;
  readonly y: Axis;
  /** A ground for the values of x that tell most, and a line for the least of y that is good. */
  readonly good?: { readonly x: readonly [number, number]; readonly y: number; readonly name: string };
  readonly onChoose?: ((id: string) => void) | undefined;
};

/** A dot per row, with its name beside it. */
export const PointsPicture = ({ label, points, x, y, good, onChoose }: PointsPictureProps) => (
  <Picture label={label} first={points[0]?.id}>
    <ScatterChart {...sized(340)} margin={{ top: 12, right: 32, bottom: 20, left: 4 }}>
      <CartesianGrid {...grid} />
      <XAxis {...axis} {...of(x)} dataKey="x" label={{ value: x.name, position: 'bottom', offset: 2 }} />
      <YAxis
        {...axis}
        {...of(y)}
        dataKey="y"
        width={46}
        label={{ value: y.name, angle: -90, position: 'insideLeft', style: { textAnchor: 'middle' } }}
      />
      {good && <ReferenceArea x1={good.x[0]} x2={good.x[1]} fill="var(--good-ground)" fillOpacity={1} stroke="none" />}
      {good && <ReferenceLine {...guide} y={good.y} label={{ value: good.name, position: 'insideBottomLeft' }} />}
      <Scatter data={[...points]} isAnimationActive={false} shape={drawing(namedLeft(points, x, y), onChoose)} />
    </ScatterChart>
  </Picture>
);

const of = ({ from, to, ticks, text }: Axis) =>
  ({ type: 'number', domain: [from, to], ticks: [...ticks], ...(text && { tickFormatter: text }) }) as const;

/** The points whose name stands to the left of the dot: to the right, another dot is in its way. */
const namedLeft = (points: readonly Point[], x: Axis, y: Axis): ReadonlySet<string> => {
  const [wide, high] = [(x.to - x.from) / 10, (y.to - y.from) / 20];
  const isTaken = ({ id, ...at }: Point, side: 1 | -1) =>
    points.some((one) => one.id !== id && Math.abs(one.y - at.y) < high && side * (one.x - at.x) > 0 && side * (one.x - at.x) < wide);
  return new Set(points.flatMap((point) => (isTaken(point, 1) && !isTaken(point, -1) ? [point.id] : [])));
};

const drawing =
  (left: ReadonlySet<string>, onChoose: PointsPictureProps['onChoose']) =>
  ({ cx, cy, payload }: { cx?: number | undefined; cy?: number | undefined; payload?: Point }) =>
    payload ? (
      <Mark id={payload.id} label={payload.label} onChoose={onChoose}>
        <circle cx={cx} cy={cy} r={6} className={styles.dot} data-tone={payload.tone} />
        <text
          x={(cx ?? 0) + (left.has(payload.id) ? -9 : 9)}
          y={cy}
          textAnchor={left.has(payload.id) ? 'end' : 'start'}
          dominantBaseline="central"
          className={styles.inside}
        >
          {payload.name}
        </text>
      </Mark>
    ) : (
      <g />
    );
