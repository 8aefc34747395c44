/**
 * The fewest numbers to remove so that the rest is ascending: what was moved, if everything else kept its order.
 * (All but a longest increasing subsequence, found by patience sorting.)
 */
export const outOfOrder = (numbers: readonly number[]): number[] => {
  /** per length: where the rising sequence of that length ends that ends lowest */
  const ends: number[] = [];
  const before: number[] = [];
  numbers.forEach((number, at) => {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.add(at);
  return numbers.filter((_, at) => !kept.has(at));
};
