/** @throws Error when there are no values. */
export function median(values: readonly number[]): number {
  const sorted = sort(values);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1];
  const upper = sorted[Math.floor(middle)];
  if (lower === undefined || upper === undefined) throw new Error('The median of nothing');
  return (lower + upper) / 2;
}

/** Between which values the middle half lies, for example `0.83–0.90`: the noise of a measurement. */
export function spread(values: readonly number[]): string {
  const sorted = sort(values);
  const quarter = Math.floor(sorted.length / 4);
  const middleHalf = sorted.slice(quarter, sorted.length - quarter);
  return [middleHalf.at(0), middleHalf.at(-1)].map((value) => value?.toFixed(2)).join('–');
}

const sort = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other);
