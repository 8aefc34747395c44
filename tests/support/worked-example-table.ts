/** The worked example of formula R3, as it comes out digit for digit. */

/** Ten students of two classes, three tests of 40, 80 and 80 marks. Jones has no prior score. */
export const EXAMPLE = [
  ['Adams', '10X1', 'A*', [36, 60, null]],
  ['Baker', '10X1', 'A', [30, 52, null]],
  ['Clark', '10X1', 'a', [34, 68, null]],
  ['Davis', '10X1', 'B', [28, 44, null]],
  ['Evans', '10X1', 'B', [null, 56, null]],
  ['Flynn', '10X2', 'C', [26, null, 66]],
  ['Grant', '10X2', 'D', [20, null, 50]],
  ['Hayes', '10X2', 'd', [24, null, 50]],
  ['Irwin', '10X2', 'E', [12, null, 34]],
  ['Jones', '10X2', null, [20, null, 50]],
] as const;

export const TESTS = [
  ['T1', 40],
  ['T2 (Higher)', 80],
  ['T3 (Foundation)', 80],
] as const;

export const GRADES = [
  { label: '7', percent: 15 },
  { label: '5', percent: 35 },
  { label: '3', percent: 50 },
];

/** Of each test: how many sat it, mean and SD of the percentages, mean prior, difference and multiplier, to four decimals. */
export const NORMS = [
  ['T1', 9, 63.8889, 17.7604, 36, -0.0354, 0.9882],
  ['T2 (Higher)', 5, 70, 10, 46.4, 0.792, 1.264],
  ['T3 (Foundation)', 5, 62.5, 12.6491, 24, -0.9899, 0.67],
] as const;
/** Mean and SD. */
export const PRIOR_NORMS = [36.4444, 12.5708] as const;

/** Score, rank, residual and grade. */
export const TABLE = [
  ['Clark', 81.89, 1, 1, '7'],
  ['Adams', 73.68, 2, -1, '7'],
  ['Evans', 63.2, 3, 1, '5'],
  ['Baker', 56.19, 4, -2, '5'],
  ['Flynn', 50.8, 5, 1, '5'],
  ['Davis', 43.34, 6, -2, '3'],
  ['Hayes', 39.65, 7, 0, '3'],
  ['Grant', 35.02, 8, -1, '3'],
  ['Jones', 35.02, 8, null, '3'],
  ['Irwin', 16.91, 10, 0, '3'],
] as const;
