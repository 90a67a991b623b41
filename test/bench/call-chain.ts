/** When a call was under way, on any clock. */
export type Interval = { readonly startedAt: number; readonly endedAt: number };

/** How many of the calls had to wait for one another: the most that no two of which overlap. */
export function longestChain(calls: readonly Interval[]): number {
  const byEnd = [...calls].sort((one, other) => one.endedAt - other.endedAt);
  let length = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of byEnd) {
    if (startedAt < lastEnd) continue;
    length += 1;
    lastEnd = endedAt;
  }
  return length;
}
