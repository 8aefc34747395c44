import { Bar, BarChart, CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import { axis, grid, guide, namedRows, PERCENT, percentTick, sized } from './axes.ts';
import { Mark, Picture } from './Picture.tsx';
import styles from './Picture.module.css';

export type BarRow = {
  readonly id: string;
  readonly name: string;
  /** In per cent. */
  readonly value: number;
  readonly text: string;
  /** What the bar says: '11X1: 65.0 %, 29 students, above the year by more than chance'. */
  readonly label: string;
  readonly tone?: 'higher' | 'lower' | 'among' | 'few';
  /** Where chance alone would put it. */
  readonly range?: { readonly from: number; readonly to: number } | undefined;
};

type BarsPictureProps = {
  readonly label: string;
  readonly rows: readonly BarRow[];
  /** What all bars are compared with. */
  readonly middle?: { readonly value: number; readonly name: string } | undefined;
  readonly onChoose: (id: string) => void;
};

/** A bar per row on a scale of 0 to 100 %, with the range within which it says nothing. */
export const BarsPicture = ({ label, rows, middle, onChoose }: BarsPictureProps) => {
  return (
    <Picture label={label} first={rows[0]?.id}>
      <BarChart
        {...sized(rows.length * 28 + 52)}
        layout="vertical"
        data={[...rows]}
        margin={{ top: 20, right: 68, bottom: 0, left: 0 }}
        barSize={16}
      >
        <CartesianGrid {...grid} horizontal={false} />
        <XAxis {...axis} {...PERCENT} domain={[0, 100]} ticks={[...PERCENT.ticks]} type="number" tickFormatter={percentTick} />
        <YAxis {...namedRows(rows)} />
        <Bar dataKey="value" isAnimationActive={false} shape={drawing(onChoose)} />
        {rows.map(
          ({ id, range }) =>
            range && (
              <ReferenceLine
                key={id}
                segment={[
                  { x: Math.max(0, range.from), y: id },
                  { x: Math.min(100, range.to), y: id },
                ]}
                stroke="var(--ink)"
                strokeWidth={1.5}
                className={styles.range ?? ''}
              />
            ),
        )}
        {middle && <ReferenceLine {...guide} x={middle.value} label={{ value: middle.name, position: 'top' }} />}
      </BarChart>
    </Picture>
  );
};

type Rect = { readonly x: number | null; readonly width: number | null };
/** `background`: what a bar of 100 % would fill. */
type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly background: Partial<Rect> | undefined;
};
const drawing =
  (onChoose: BarsPictureProps['onChoose']) =>
  ({ payload, ...box }: Partial<Box> & { payload?: BarRow }) =>
    payload ? <OneBar row={payload} box={box} onChoose={onChoose} /> : <g />;

type OneBarProps = { readonly row: BarRow; readonly box: Partial<Box>; readonly onChoose: BarsPictureProps['onChoose'] };

const OneBar = ({ row, box: { x = 0, y = 0, width = 0, height = 0, background }, onChoose }: OneBarProps) => (
  <Mark id={row.id} label={row.label} onChoose={onChoose}>
    <rect x={x} y={y} width={Math.max(1, width)} height={height} className={styles.bar} data-tone={row.tone} />
    <text
      x={(background?.x ?? x) + (background?.width ?? width) + 6}
      y={y + height / 2}
      dominantBaseline="central"
      className={styles.inside}
    >
      {row.tone === 'higher' ? '▲ ' : row.tone === 'lower' ? '▼ ' : ''}
      {row.text}
    </text>
  </Mark>
);
