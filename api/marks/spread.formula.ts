/** The SD is that of a sample, as of the tests (docs/decisions/5-the-sd-of-the-markbook.md). */
export const figuresOf = (values: readonly number[]): { readonly mean: number | null; readonly sd: number | null } => {
  const count = values.length;
  const [first] = values;
  if (first === undefined) return { mean: null, sd: null };
  // Equal values have exactly none: their mean as it is computed may lie beside them.
  if (values.every((value) => value === first)) return { mean: first, sd: count < 2 ? null : 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  return { mean, sd: count < 2 ? null : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)) };
};
