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

type PointsPictureProps = {
  readonly label: string;
  readonly points: readonly Point[];
  /** The lowest y that is shown, 0 or below. */
  readonly least: number;
  /** Below this y a question is weak. */
  readonly weak: number;
  readonly onChoose: (id: string) => void;
};

const TENTHS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const share = (value: number): string => `${Math.round(100 * value)} %`;

/** A dot per question: facility (x, 0 to 1) against discrimination (y). The ground marks the facilities that tell most. */
export const PointsPicture = ({ label, points, least, weak, onChoose }: PointsPictureProps) => (
  <Picture label={label} first={points[0]?.id}>
    <ScatterChart {...sized(340)} margin={{ top: 12, right: 32, bottom: 20, left: 4 }}>
      <CartesianGrid {...grid} />
      <XAxis
        {...axis}
        type="number"
        domain={[0, 1]}
        ticks={TENTHS}
        tickFormatter={share}
        dataKey="x"
        label={{ value: 'Facility', position: 'bottom', offset: 2 }}
      />
      <YAxis
        {...axis}
        type="number"
        domain={[least, 1]}
        ticks={least < 0 ? [least, ...TENTHS] : TENTHS}
        dataKey="y"
        width={46}
        label={{ value: 'Discrimination', angle: -90, position: 'insideLeft', style: { textAnchor: 'middle' } }}
      />
      <ReferenceArea x1={0.3} x2={0.7} fill="var(--good-ground)" fillOpacity={1} stroke="none" />
      <ReferenceLine {...guide} y={weak} label={{ value: 'weak below', position: 'insideBottomLeft' }} />
      <Scatter data={[...points]} isAnimationActive={false} shape={drawing(namedLeft(points, 1 - least), onChoose)} />
    </ScatterChart>
  </Picture>
);

/** The points whose name stands to the left of the dot: to the right, another dot is in its way. `height`: of the scale. */
const namedLeft = (points: readonly Point[], height: number): ReadonlySet<string> => {
  const isTaken = ({ id, ...at }: Point, side: 1 | -1) =>
    points.some((one) => one.id !== id && Math.abs(one.y - at.y) < height / 20 && side * (one.x - at.x) > 0 && side * (one.x - at.x) < 0.1);
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
