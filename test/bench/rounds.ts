import * as z from 'zod';

/** How long to go on, and with how many at a time. */
export const drivingSchema = z.object({ inFlight: z.int().positive(), milliseconds: z.number() });
export type Driving = z.output<typeof drivingSchema>;

export const drivenSchema = z.object({ calls: z.number(), perSecond: z.number() });
export type Driven = z.output<typeof drivenSchema>;

/** Calls again and again, with so many calls under way at any time. */
export async function drive(
  { inFlight, milliseconds }: Driving,
  call: () => Promise<void>,
): Promise<Driven> {
  let calls = 0;
  const startedAt = performance.now();
  const keepCalling = async () => {
    while (performance.now() - startedAt < milliseconds) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCalling));
  return { calls, perSecond: (1_000 * calls) / (performance.now() - startedAt) };
}

/** Does the work of each item, with so many under way at any time while there are any left. */
export async function workOff<Item>(
  items: readonly Item[],
  inFlight: number,
  work: (item: Item) => Promise<void>,
): Promise<Driven> {
  const waiting = items.values();
  const startedAt = performance.now();
  const keepWorking = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, keepWorking));
  return {
    calls: items.length,
    perSecond: (1_000 * items.length) / (performance.now() - startedAt),
  };
}

/** @throws Error when there are no values. */
export function median(values: readonly number[]): number {
  const sorted = sort(values);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1];
  const upper = sorted[Math.floor(middle)];
  if (lower === undefined || upper === undefined) throw new Error('The median of nothing');
  return (lower + upper) / 2;
}

/** The value that this part of the values doesn't exceed. @throws Error when there are no values. */
export function quantile(values: readonly number[], part: number): number {
  const value = sort(values)[Math.max(0, Math.ceil(values.length * part) - 1)];
  if (value === undefined) throw new Error('The quantile of nothing');
  return value;
}

/** Between which values the middle half lies, for example `0.83–0.90`: the noise of a measurement. */
export function spread(values: readonly number[]): string {
  const sorted = sort(values);
  const quarter = Math.floor(sorted.length / 4);
  const middleHalf = sorted.slice(quarter, sorted.length - quarter);
  return [middleHalf.at(0), middleHalf.at(-1)].map((value) => value?.toFixed(2)).join('–');
}

const sort = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other);
