import { CartesianGrid, ReferenceArea, ReferenceLine, Scatter, ScatterChart, usePlotArea, XAxis, YAxis } from 'recharts';
import { axis, grid, guide, sized } from './axes.ts';
import { namePlaces } from './named-points.ts';
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
      <Scatter data={[...points]} isAnimationActive={false} shape={drawing({ points, least, onChoose })} />
    </ScatterChart>
  </Picture>
);

type Shaped = { readonly cx?: number | undefined; readonly cy?: number | undefined; readonly payload?: Point };
type Drawn = Pick<PointsPictureProps, 'points' | 'least' | 'onChoose'>;

const drawing =
  (drawn: Drawn) =>
  ({ cx = 0, cy = 0, payload }: Shaped) =>
    payload ? <Dot {...drawn} cx={cx} cy={cy} point={payload} /> : <g />;

type DotProps = Drawn & {
  readonly cx: number;
  readonly cy: number;
  readonly point: Point;
};

const Dot = ({ points, least, onChoose, cx, cy, point: { id, name, label, tone } }: DotProps) => {
  const { width, height } = usePlotArea() ?? SMALL;
  const place = namePlaces(points, width, height / (1 - least)).get(id);
  return (
    <Mark id={id} label={label} onChoose={onChoose}>
      <circle cx={cx} cy={cy} r={6} className={styles.dot} data-tone={tone} />
      {place && (
        <text x={cx + place.dx} y={cy + place.dy} textAnchor={place.anchor} dominantBaseline="central" className={styles.inside}>
          {name}
        </text>
      )}
    </Mark>
  );
};
/** Until the picture is measured. */
const SMALL = { width: 240, height: 300 };
