import type { Spent } from './processor-time.ts';

/** A measured figure with its limit and goal. */
export type Figure = {
  /** what was measured, with its unit */
  readonly figure: string;
  readonly value: number;
  /** the same work without the product, measured in the same run; null: the goal is absolute */
  readonly limit: number | null;
  /** median of the rounds' value / limit */
  readonly ratio: number | null;
  /** null: for information only */
  readonly goal: string | null;
  readonly met: boolean | null;
  /** of the work that was measured; else of the whole chapter */
  readonly spent?: Spent | undefined;
};

export type Goal = { readonly is: '>=' | '<=' | '<'; readonly than: number; readonly unit?: string };

/** A figure with a limit: the goal is about the ratio. */
export const compared = (figure: string, pairs: readonly Pair[], goal: Goal): Figure => {
  const ratio = median(pairs.map(({ value, limit }) => value / limit));
  return {
    figure,
    value: median(pairs.map(({ value }) => value)),
    limit: median(pairs.map(({ limit }) => limit)),
    ratio,
    goal: `ratio ${said(goal)}`,
    met: isMet(ratio, goal),
  };
};

/** A figure without a limit, compared with the goal if there is one. */
export const plain = (figure: string, value: number, goal?: Goal, spent?: Spent): Figure => ({
  figure,
  value,
  limit: null,
  ratio: null,
  goal: goal ? said(goal) : null,
  met: goal ? isMet(value, goal) : null,
  spent,
});

/** One round: the product's figure and the limit's, measured directly one after the other. */
export type Pair = { readonly value: number; readonly limit: number };

/**
 * Alternates short rounds of both, because a machine's speed changes from minute to minute: each round is compared only with its neighbour.
 * Every other round begins with the limit. A warm-up round does not count.
 */
export const inTurn = async (
  rounds: number,
  product: (round: number) => Promise<number>,
  limit: (round: number) => Promise<number>,
): Promise<Pair[]> => {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % 2 === 0 ? await product(round) : await limit(round);
    const second = round % 2 === 0 ? await limit(round) : await product(round);
    if (round > 0) pairs.push(round % 2 === 0 ? { value: first, limit: second } : { value: second, limit: first });
  }
  return pairs;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * part;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at % 1);
};

/** The figures as a table for people: what misses its goal comes first. */
export const tableOf = (figures: readonly Figure[]): string => {
  const missed = figures.filter(({ met }) => met === false);
  const rows = [...missed, ...figures.filter((figure) => !missed.includes(figure))].map(
    ({ figure, value, limit, ratio, goal, met, spent }) => [
      figure,
      short(value),
      limit === null ? '' : short(limit),
      ratio === null ? '' : ratio.toFixed(2),
      goal ?? '',
      met === null ? '' : met ? 'yes' : 'NO',
      spent === undefined ? '' : spent.wall.toFixed(1),
      spent?.cpu === undefined ? '' : spent.cpu.toFixed(1),
    ],
  );
  const all = [['figure', 'value', 'limit', 'ratio', 'goal', 'met', 'wall s', 'cpu s'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((text, column) =>
          column === 0 || column === 4 || column === 5 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** One figure on a line of its own, for whoever does not want to wait for the table. */
export const lineOf = ({ figure, value, limit, ratio }: Figure): string =>
  `${figure}: ${short(value)}${limit === null ? '' : `, limit ${short(limit)}`}${ratio === null ? '' : `, ratio ${ratio.toFixed(2)}`}`;

const said = ({ is, than, unit }: Goal): string => `${is} ${than}${unit === undefined ? '' : ` ${unit}`}`;

const isMet = (value: number, { is, than }: Goal): boolean => (is === '>=' ? value >= than : is === '<=' ? value <= than : value < than);

const short = (value: number): string => (Number.isInteger(value) || value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));
