import { CartesianGrid, Line, LineChart, XAxis, YAxis } from 'recharts';
import { axis, grid, PERCENT, percentTick, sized } from './axes.ts';
import { Mark, Picture } from './Picture.tsx';
import styles from './Picture.module.css';

export type LinePoint = {
  readonly id: string;
  readonly name: string;
  /** In per cent. */
  readonly value: number;
  readonly text: string;
  /** What the dot says: '2025/26: 61.4 %, 228 students'. */
  readonly label: string;
};

type LinePictureProps = {
  readonly label: string;
  readonly points: readonly LinePoint[];
  readonly onChoose: (id: string) => void;
};

/** A line through a value per school year, on a scale of 0 to 100 %; small enough for several beside each other. */
export const LinePicture = ({ label, points, onChoose }: LinePictureProps) => {
  const names = new Map(points.map(({ id, name }) => [id, name]));
  return (
    <Picture label={label} first={points[0]?.id}>
      <LineChart {...sized(150)} data={[...points]} margin={{ top: 18, right: 24, bottom: 0, left: 0 }}>
        <CartesianGrid {...grid} vertical={false} />
        <XAxis {...axis} dataKey="id" padding={{ left: 24, right: 24 }} tickFormatter={(id: string) => names.get(id) ?? ''} />
        <YAxis {...axis} domain={[0, 100]} ticks={[...PERCENT.ticks]} width={48} tickFormatter={percentTick} />
        <Line dataKey="value" stroke="var(--brand)" strokeWidth={2} isAnimationActive={false} dot={drawing(onChoose)} />
      </LineChart>
    </Picture>
  );
};

const drawing =
  (onChoose: LinePictureProps['onChoose']) =>
  ({ cx, cy, payload }: { cx?: number; cy?: number; payload?: LinePoint }) =>
    payload ? (
      <Mark key={payload.id} id={payload.id} label={payload.label} onChoose={onChoose}>
        <circle cx={cx} cy={cy} r={5} className={styles.dot} />
        <text x={cx} y={(cy ?? 0) - 10} textAnchor="middle" className={styles.inside}>
          {payload.text}
        </text>
      </Mark>
    ) : (
      <g />
    );
